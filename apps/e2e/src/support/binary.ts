import { execFile } from 'node:child_process';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUILT_BINARY, runServer, type RunningServer, type ServerProgram } from '@parley/testing';

const SUFFIX = process.platform === 'win32' ? '.exe' : '';

/** Returns whether `npm run build:binary` has created the binary. */
export function hasBinary(): boolean {
  return existsSync(BUILT_BINARY);
}

/** The single binary, which runs in an otherwise empty folder. */
export interface RunningBinary extends RunningServer {
  /** Runs one of its commands in the same folder. Resolves to its output. */
  command(...args: string[]): Promise<string>;
}

/** Copies the binary into an empty folder and starts it there. Sets only its port and the given variables. */
export async function runBinary(env: Record<string, string> = {}): Promise<RunningBinary> {
  let program: ServerProgram | undefined;
  const server = await runServer(env, (folder) => {
    const command = join(folder, `parley${SUFFIX}`);
    copyFileSync(BUILT_BINARY, command);
    program = { command, args: [], cwd: folder, env: {}, dataDir: join(folder, 'data') };
    return program;
  });
  return {
    ...server,
    async command(...args) {
      if (program === undefined) throw new Error('the binary was not started');
      const { command, cwd } = program;
      const variables = { PARLEY_PUBLIC_URL: server.url, ...env };
      const { stdout } = await promisify(execFile)(command, args, { cwd, env: variables });
      return stdout;
    },
  };
}
