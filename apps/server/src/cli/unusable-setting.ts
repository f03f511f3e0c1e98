import { sep } from 'node:path';
import type { Config } from '../config.ts';
import { MediaStoreError } from '../media-store/media-store-error.ts';
import { isPasswordMissing } from '../storage/storage-errors.ts';
import { describeError } from './describe-error.ts';

/**
 * Returns why a server can never start with its variables, as a sentence for the operator. Returns undefined if
 * another attempt may succeed, such as after the network or the database has started.
 */
export function findUnusableSetting(error: unknown, config: Config): string | undefined {
  if (error instanceof MediaStoreError) return error.isTemporary ? undefined : error.message;
  if (!(error instanceof Error)) return undefined;
  if (config.databaseUrl !== undefined && isUnusableDatabase(error)) return describeError(error);
  if (!('syscall' in error)) return undefined;
  const code = getCode(error);
  if (error.syscall === 'listen') return findListenProblem(code, config);
  if (!FOLDER_CODES.has(code) || !isInside(error, config.dataDir)) return undefined;
  return (
    `PARLEY_DATA is '${config.dataDir}', which cannot be used: ${describeError(error)} ` +
    'Set it to a folder that this user may write to, such as /var/lib/parley.'
  );
}

/** Without access, the disk of the folder may not be mounted yet. */
const FOLDER_CODES = new Set(['EEXIST', 'ENAMETOOLONG', 'ENOENT', 'ENOTDIR']);

function findListenProblem(code: string, { host, port }: Config): string | undefined {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return (
        `PARLEY_PORT is '${port}', on which this user may not listen. Set it to a port such as 3000, ` +
        'and forward ports 80 and 443 to it with a reverse proxy.'
      );
    case 'EAFNOSUPPORT':
    case 'EINVAL':
      return `PARLEY_HOST is '${host}', on which this machine cannot listen. Set it to an address such as 127.0.0.1.`;
    default:
      return undefined;
  }
}

/** The login is rejected, or a file that the URL names cannot be read. The database itself may be created later. */
function isUnusableDatabase(error: Error): boolean {
  // A code of PostgreSQL itself: https://www.postgresql.org/docs/current/errcodes-appendix.html
  if ('severity' in error) return getCode(error).startsWith('28');
  const { cause } = error;
  if (error.name !== 'PostgresConnectionError' || !(cause instanceof Error)) return false;
  return (
    ('syscall' in cause && cause.syscall === 'open') ||
    /does not support SSL/.test(cause.message) ||
    /SELF_SIGNED|UNABLE_TO_|ALTNAME|INVALID_URL/.test(getCode(cause)) ||
    cause instanceof URIError ||
    isPasswordMissing(cause)
  );
}

function isInside(error: Error, dataDir: string): boolean {
  if (!('path' in error)) return false;
  const path = String(error.path);
  // Parents are created as well.
  return (
    `${path}${sep}`.startsWith(`${dataDir}${sep}`) || `${dataDir}${sep}`.startsWith(`${path}${sep}`)
  );
}

function getCode(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}
