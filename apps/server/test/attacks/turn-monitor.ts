import { writeSync } from 'node:fs';

/*
 * Loaded into a server under attack before its own code. Writes a line to file descriptor 3 for each turn
 * of the event loop that takes long: the milliseconds of computing of the main thread. What waits for a
 * disk or for other processes does not count.
 */

/** Milliseconds. */
const INTERVAL = 1;
const REPORTED_MIN = 5;

let last = process.threadCpuUsage();
setInterval(() => {
  const { user, system } = process.threadCpuUsage(last);
  const turn = (user + system) / 1000;
  if (turn >= REPORTED_MIN) writeSync(3, `${turn.toFixed(1)}\n`);
  last = process.threadCpuUsage();
}, INTERVAL).unref();
