// Stands in for a part that waits for something for ever before it is ready.
process.on('SIGTERM', () => process.exit(0));
setInterval(() => undefined, 60_000);
