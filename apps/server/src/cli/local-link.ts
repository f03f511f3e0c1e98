import { isLocalLink } from '../operator/site-url.ts';
import type { Terminal } from './terminal.ts';

/** Says so if a printed link only works on the server's machine. */
export function warnOfLocalLink({ stderr }: Pick<Terminal, 'stderr'>, link: string): void {
  if (!isLocalLink(link)) return;
  stderr.write(
    'PARLEY_PUBLIC_URL is not set, so the link only works on this machine. For other devices, replace its start ' +
      'with the address at which they reach the server.\n',
  );
}
