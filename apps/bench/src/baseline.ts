// The baseline: a plain Fastify route, a websocket and the same insert through Kysely, without
// sessions, validation or chatrooms. The benchmark compares the product with it within one run.
import { randomUUID } from 'node:crypto';
import fastifyWebsocket from '@fastify/websocket';
import { endpoints } from '@parley/contract';
import Fastify from 'fastify';
import { openBaselinePostgres, openBaselineSqlite } from './baseline-database.ts';

const databaseUrl = process.env['PARLEY_DATABASE_URL'];
const insert =
  databaseUrl === undefined
    ? openBaselineSqlite(process.env['PARLEY_DATA'] ?? '.')
    : await openBaselinePostgres(databaseUrl);

const sockets = new Map<string, Set<{ send: (text: string) => void }>>();
const app = Fastify();
await app.register(fastifyWebsocket);

app.get(endpoints.connect.path, { websocket: true }, (socket, request) => {
  const room = request.headers.cookie ?? '';
  const members = sockets.get(room) ?? new Set();
  sockets.set(room, members.add(socket));
  socket.send('0{}');
  socket.on('message', (data) => {
    if ((data as Buffer).toString().startsWith('40')) socket.send('40{}');
  });
  socket.on('close', () => members.delete(socket));
});

app.post<{ Body: { chatroom: string; content: string; clientId: string } }>(
  endpoints.sendMessage.path,
  async (request, reply) => {
    const { chatroom, content, clientId } = request.body;
    const row = { id: randomUUID(), chatroom, content, created_at: Date.now() };
    await insert(row);
    const packet = `42${JSON.stringify(['message', { ...row, clientId }])}`;
    for (const socket of sockets.get(chatroom) ?? []) socket.send(packet);
    return reply.status(201).send({ ...row, clientId });
  },
);

app.get(endpoints.getConfig.path, () => ({}));
await app.listen({ host: '127.0.0.1', port: Number(process.env['PARLEY_PORT']) });
process.once('SIGTERM', () => process.exit(0));
