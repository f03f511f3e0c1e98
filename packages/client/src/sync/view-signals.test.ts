import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createConnectionStore } from '../stores/connection.ts';
import { createViewStore } from '../stores/view.ts';
import { startViewSignals, type ViewSignals } from './view-signals.ts';

const send = vi.fn<(chatroomId: string | undefined) => void>();
const unwatch = vi.fn<() => void>();
let stores: {
  view: ReturnType<typeof createViewStore>;
  connection: ReturnType<typeof createConnectionStore>;
};
let isFocused: boolean;
let focusChanged: () => void;
let viewSignals: ViewSignals;

beforeEach(() => {
  vi.clearAllMocks();
  stores = { view: createViewStore(), connection: createConnectionStore() };
  isFocused = true;
  viewSignals = startViewSignals({
    platform: {
      isFocused: () => isFocused,
      watchFocus: (listener) => {
        focusChanged = listener;
        return unwatch;
      },
    },
    stores,
    send,
  });
});
afterEach(() => viewSignals.stop());

function connect(): void {
  stores.connection.getState().setStatus('online');
  viewSignals.flush();
}

const viewChatroom = (id: string | undefined) => stores.view.getState().setView(id, false);

test('tells the open chatroom after each connect and whenever it changes', () => {
  viewChatroom('a');
  expect(send).not.toHaveBeenCalled();
  connect();
  viewChatroom('b');
  viewChatroom(undefined);
  expect(send.mock.calls).toEqual([['a'], ['b'], [undefined]]);
  stores.connection.getState().setStatus('reconnecting');
  viewChatroom('c');
  expect(send).toHaveBeenCalledTimes(3);
  connect();
  expect(send).toHaveBeenLastCalledWith('c');
});

test('reports no chatroom in view while the page does not have the focus', () => {
  viewChatroom('a');
  connect();
  isFocused = false;
  focusChanged();
  expect(send).toHaveBeenLastCalledWith(undefined);
  viewChatroom('b');
  expect(send).toHaveBeenCalledTimes(2);
  isFocused = true;
  focusChanged();
  focusChanged();
  expect(send.mock.calls).toEqual([['a'], [undefined], ['b']]);
});

test('does not send again when the room is only scrolled', () => {
  viewChatroom('a');
  connect();
  stores.view.getState().setView('a', true);
  expect(send).toHaveBeenCalledOnce();
});

test('stops watching once it is stopped', () => {
  connect();
  viewSignals.stop();
  expect(unwatch).toHaveBeenCalledOnce();
  viewChatroom('a');
  expect(send).toHaveBeenCalledOnce();
});
