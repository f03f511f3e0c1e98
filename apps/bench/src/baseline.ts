// The baseline: a plain Fastify route, a websocket and the same batched insert through Kysely,
// without sessions, validation or chatrooms. The benchmark compares the product with it within one
// run.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import fastifyWebsocket from '@fastify/websocket';
import { endpoints } from '@parley/contract';
import SQLite from 'better-sqlite3';
import Fastify from 'fastify';
import { Kysely, SqliteDialect } from 'kysely';

interface Baseline {
  messages: { id: string; chatroom: string; content: string; created_at: number };
}

const sqlite = new SQLite(join(process.env['PARLEY_DATA'] ?? '.', 'baseline.db'));
sqlite.pragma('journal_mode = WAL');
sqlite.pragma('synchronous = FULL');
sqlite.exec(
  'create table if not exists messages (id text primary key, chatroom text not null, content text not null, created_at integer not null) strict, without rowid',
);
const db = new Kysely<Baseline>({ dialect: new SqliteDialect({ database: sqlite }) });

interface Write {
  readonly row: Baseline['messages'];
  readonly done: () => void;
}
let waiting: Write[] = [];
let isDraining = false;

async function drain(): Promise<void> {
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    await db.transaction().execute(async (trx) => {
      for (const { row } of batch) await trx.insertInto('messages').values(row).execute();
    });
    for (const { done } of batch) done();
    await new Promise((resolve) => setImmediate(resolve));
  }
  isDraining = false;
}

function insert(row: Baseline['messages']): Promise<void> {
  return new Promise((resolve) => {
    waiting.push({ row, done: resolve });
    if (isDraining) return;
    isDraining = true;
    setImmediate(() => void drain());
  });
}

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
