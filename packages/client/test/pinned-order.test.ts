import { startServer, type TestServer, type TestUser } from '@parley/server/test-server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createApiClient,
  createClient,
  createHeadlessPlatform,
  createMemoryStorageArea,
  type Client,
} from '../src/index.ts';
import { TIMING } from './histories/world/tab.ts';
import { sessionOf } from './session-of.ts';

/** A device of Ada, which can lose its connection to the server. */
interface Device {
  readonly client: Client;
  setOnline: (isOnline: boolean) => void;
}

let server: TestServer;
let ada: TestUser;
/** Ada's chatrooms by the names of the partners. */
let rooms: Record<string, string>;
let clients: Client[];

const until = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 5 });

beforeEach(async () => {
  clients = [];
  server = await startServer();
  ada = await server.signIn('Ada');
  rooms = {};
  for (const name of ['Bob', 'Carl', 'Dora', 'Emil']) {
    const partner = await server.signIn(name);
    const body = { partnerName: 'Ada', content: 'hello' };
    rooms[name] = (await partner.request('POST', '/api/chatrooms/create', body)).body.chatroomId;
  }
});

afterEach(async () => {
  for (const client of clients) client.dispose();
  await server.close();
});

async function openDevice(area = createMemoryStorageArea(), isOnline = true): Promise<Device> {
  const session = sessionOf(ada);
  const send: typeof fetch = async (input, init) => {
    if (!isOnline) throw new TypeError('the request was lost');
    return session.fetch(input, init);
  };
  const client = createClient({
    api: createApiClient({ origin: server.url, fetch: send, retryDelay: 1 }),
    username: ada.username,
    platform: createHeadlessPlatform(
      { ...session, fetch: send },
      { openStorage: async () => area.open() },
    ),
    events: {},
    timing: TIMING,
  });
  clients.push(client);
  await until(() => expect(client.chats.getState().chats).toHaveLength(4));
  return { client, setOnline: (value) => (isOnline = value) };
}

const idOf = (name: string): string => rooms[name] ?? expect.fail();
const namesOn = ({ client }: Device) => client.chats.getState().chats.map(({ names }) => names[0]);
const pin = ({ client }: Device, name: string) => client.pin(idOf(name), true);
const order = ({ client }: Device, ...names: string[]) => client.orderPinned(names.map(idOf));
/** Expects the chats in an order that is not about to change. */
async function untilSettled(devices: readonly Device[], ...names: string[]): Promise<void> {
  await until(() => {
    for (const device of devices) {
      expect(namesOn(device)).toEqual(names);
      expect(device.client.outbox.getState().changes).toEqual([]);
    }
  });
}

test('the order of pinned chats is that of the device that sent the last one', async () => {
  const [laptop, phone] = [await openDevice(), await openDevice()];
  for (const name of ['Dora', 'Carl', 'Bob']) {
    pin(laptop, name);
    // At once, and before the server has told the rank.
    expect(namesOn(laptop)[0]).toBe(name);
  }
  await untilSettled([laptop, phone], 'Bob', 'Carl', 'Dora', 'Emil');

  laptop.setOnline(false);
  phone.setOnline(false);
  order(laptop, 'Dora', 'Bob', 'Carl');
  order(laptop, 'Carl', 'Dora', 'Bob');
  expect(namesOn(laptop)).toEqual(['Carl', 'Dora', 'Bob', 'Emil']);
  order(phone, 'Dora', 'Carl', 'Bob');
  pin(phone, 'Emil');
  expect(namesOn(phone)).toEqual(['Emil', 'Dora', 'Carl', 'Bob']);

  laptop.setOnline(true);
  await untilSettled([laptop], 'Carl', 'Dora', 'Bob', 'Emil');
  phone.setOnline(true);
  await untilSettled([laptop, phone], 'Emil', 'Dora', 'Carl', 'Bob');
});

test('an order made offline survives a restart and keeps what other devices pin and unpin', async () => {
  const area = createMemoryStorageArea();
  const [before, phone] = [await openDevice(area), await openDevice()];
  for (const name of ['Dora', 'Carl', 'Bob']) pin(before, name);
  await untilSettled([before, phone], 'Bob', 'Carl', 'Dora', 'Emil');
  const stored = async (collection: 'chats' | 'outbox') =>
    JSON.stringify(await area.open().getAll(collection));
  await until(async () => expect((await stored('chats')).match(/pinRank/g)).toHaveLength(6));
  before.setOnline(false);
  order(before, 'Dora', 'Carl', 'Bob');
  await until(async () => expect(await stored('outbox')).toContain('pin-order'));
  before.client.dispose();
  const laptop = await openDevice(area, false);
  await until(() => expect(namesOn(laptop)).toEqual(['Dora', 'Carl', 'Bob', 'Emil']));
  phone.client.pin(idOf('Carl'), false);
  pin(phone, 'Emil');
  await untilSettled([phone], 'Emil', 'Bob', 'Dora', 'Carl');
  laptop.setOnline(true);
  await untilSettled([laptop, phone], 'Emil', 'Dora', 'Bob', 'Carl');
});
