import { spawnSync } from 'node:child_process';

/** Runs npm with additional variables, and exits if it fails. Only for scripts that npm has started. */
export function runNpm(args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  const npm = process.env['npm_execpath'];
  if (npm === undefined) throw new Error('Start this script with `npm run`.');
  const { status } = spawnSync(process.execPath, [npm, ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) process.exit(status ?? 1);
}
