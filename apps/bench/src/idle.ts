import { WebSocket } from 'ws';

/** Connections to hold open, one a cookie. */
export interface IdleJob {
  readonly url: string;
  readonly cookies: readonly string[];
}

const AT_ONCE = 50;

/** Opens every connection and keeps it until the process is ended. */
async function hold({ url, cookies }: IdleJob): Promise<void> {
  const address = `${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`;
  for (let i = 0; i < cookies.length; i += AT_ONCE) {
    await Promise.all(cookies.slice(i, i + AT_ONCE).map((cookie) => open(address, cookie)));
  }
}

function open(address: string, cookie: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, { headers: { cookie }, perMessageDeflate: false });
    socket.on('error', reject);
    socket.on('message', (data) => {
      const packet = (data as Buffer).toString();
      if (packet.startsWith('0')) socket.send('40');
      else if (packet.startsWith('40')) resolve();
      else if (packet === '2') socket.send('3');
    });
  });
}

process.once('message', (job: IdleJob) => {
  hold(job).then(
    () => process.send?.('open'),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
