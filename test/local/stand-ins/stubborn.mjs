// Stands in for a part that does not end by itself.
process.stdout.write('{"ready":true}\n');
process.on('SIGTERM', () => undefined);
setInterval(() => undefined, 60_000);
