// Stands in for a part that does nothing: ready at once, ends on SIGTERM.
process.title = process.argv[2] ?? 'recourse-idle';
process.stdout.write('{"ready":true}\n');
process.on('SIGTERM', () => process.exit(0));
setInterval(() => undefined, 60_000);
