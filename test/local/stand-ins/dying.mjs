// Stands in for a part that cannot start: says why in 30 lines, and dies.
for (let line = 1; line <= 30; line += 1) {
  process.stderr.write(`reason ${line} of ${process.pid}\n`);
}
process.exit(3);
