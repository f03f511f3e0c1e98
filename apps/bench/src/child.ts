import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A program of this folder in a separate process. */
export interface Child {
  /** The first message that the program sent. */
  readonly result: unknown;
  /** Sends the program another job and resolves to its next message. */
  readonly run: (job: object) => Promise<unknown>;
  readonly end: () => void;
}

/** Starts a program, sends it a job and resolves once the program has sent a message. */
export async function runChild(program: string, job: object): Promise<Child> {
  const child = fork(join(import.meta.dirname, program), { serialization: 'advanced' });
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`${program} ended with code ${String(code)}`);
  });
  const run = async (next: object): Promise<unknown> => {
    child.send(next);
    const [result] = (await Promise.race([once(child, 'message'), exited])) as unknown[];
    return result;
  };
  return { result: await run(job), run, end: () => child.kill() };
}
