import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A program of this folder in a process of its own. */
export interface Child {
  /** What it answered to its job. */
  readonly answer: unknown;
  readonly end: () => void;
}

/** Starts a program, gives it one job and resolves with its first answer. */
export async function ask(program: string, job: object): Promise<Child> {
  const child = fork(join(import.meta.dirname, program), { serialization: 'advanced' });
  child.send(job);
  const [answer] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${program} ended with code ${String(code)}`);
    }),
  ]);
  return { answer, end: () => child.kill() };
}
