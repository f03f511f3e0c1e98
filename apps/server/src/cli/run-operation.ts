import type { Static, TSchema } from 'typebox';
import { readConfig } from '../config.ts';
import { claimStore } from '../media/claim-store.ts';
import { claimFolder, type Claim } from '../operator/claim-folder.ts';
import type { Operation } from '../operator/operations.ts';
import { callServer, NotListeningError } from '../operator/operator-client.ts';
import { FolderInUseError } from '../storage/storage-errors.ts';
import { CommandError } from './command.ts';
import { toAccessError, assertAccess, withDataFolder } from './data-folder.ts';
import type { Terminal } from './terminal.ts';

/**
 * Runs an operation in the running server, or in this process if no server is running.
 * @throws {OperatorError} or {@link CommandError} if it fails.
 */
export async function runOperation<Request extends TSchema, Result extends TSchema>(
  terminal: Terminal,
  operation: Operation<Request, Result>,
  request: Static<Request>,
): Promise<Static<Result>> {
  const config = readConfig(terminal.env);
  await assertAccess(config);
  for (;;) {
    const claim = await claimOrExplain(config.dataDir);
    if ('unlock' in claim) {
      return runInProcess(terminal, operation, request).finally(claim.unlock);
    }
    try {
      return await callServer(claim.server, operation, request);
    } catch (error) {
      // The server has just stopped. Try to claim the folder again.
      if (!(error instanceof NotListeningError)) throw error;
    }
  }
}

async function claimOrExplain(dataDir: string): Promise<Claim> {
  try {
    return await claimFolder(dataDir);
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw toAccessError(error, dataDir) ?? error;
    throw new CommandError(
      `Another process is using ${dataDir} and does not accept commands. Try again in a moment. If it is ` +
        'a server of an older version, or its log says that it could not open its socket, restart it.',
      { cause: error },
    );
  }
}

/**
 * Runs an operation in this process. Its events have no listeners, because there are no connections
 * or caches.
 */
async function runInProcess<Request extends TSchema, Result extends TSchema>(
  terminal: Terminal,
  operation: Operation<Request, Result>,
  request: Static<Request>,
): Promise<Static<Result>> {
  return withDataFolder(terminal, async (folder) => {
    // Without the claim, files that are not needed any more are left to the server.
    if (folder.config.mediaStore !== undefined) await claimStore(folder);
    return operation.run(folder, request, new AbortController().signal);
  });
}
