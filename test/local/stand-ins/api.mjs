// Stands in for the API: listens where it is told, answers with its pid, ends on SIGTERM.
import { createServer } from 'node:http';

process.title = 'recourse-api';
const server = createServer((_request, response) => response.end(String(process.pid)));
server.listen(Number(process.env.PORT), process.env.HOST, () => {
  process.stdout.write('{"ready":true,"part":"api"}\n');
});
process.on('SIGTERM', () => process.exit(0));
