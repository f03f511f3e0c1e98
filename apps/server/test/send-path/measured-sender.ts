// Runs in a thread of its own, so that what it allocates is not counted as the server's.
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { io } from 'socket.io-client';

/** What the thread needs to send messages. */
export interface SenderData {
  readonly url: string;
  readonly chatroom: string;
  /** Values of the header `Cookie` of the sender and the recipient. */
  readonly sender: string;
  readonly recipient: string;
}

const { url, chatroom, sender, recipient } = workerData as SenderData;

/** Sends messages one after the other, and waits until the recipient has received all of them. */
async function sendAll(count: number): Promise<void> {
  const received = new Promise<void>((resolve) => {
    let left = count;
    const countMessage = (): void => {
      left -= 1;
      if (left > 0) return;
      socket.off('message', countMessage);
      resolve();
    };
    socket.on('message', countMessage);
  });
  for (let i = 0; i < count; i++) {
    const response = await fetch(`${url}/api/messages/send`, {
      method: 'POST',
      headers: { cookie: sender, 'content-type': 'application/json', 'sec-fetch-site': 'none' },
      body: JSON.stringify({ chatroom, content: 'A message of usual length, as people send them' }),
    });
    if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
  }
  await received;
}

const socket = io(url, {
  transports: ['websocket'],
  extraHeaders: { cookie: recipient },
});
await once(socket as never, 'connect');
parentPort?.on('message', (count: number) => {
  void sendAll(count).then(() => parentPort?.postMessage('sent'));
});
parentPort?.postMessage('ready');
