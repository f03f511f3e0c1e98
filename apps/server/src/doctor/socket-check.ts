import type { Config } from '../config.ts';
import { findServer } from '../operator/operator-client.ts';
import { PROTOCOL } from '../operator/protocol.ts';
import { VERSION } from '../version.ts';
import { createFindings, type Finding } from './finding.ts';

const { ok, skipped, warning, failed } = createFindings('commands');

/**
 * Checks whether the running server accepts commands that change something, such as `parley invite`.
 */
export async function checkSocket({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding> {
  try {
    const server = await findServer(dataDir);
    if (server === undefined) return skipped('No running server accepts commands.');
    const { info } = server;
    if (info === undefined) {
      return failed(
        'The server does not respond on its socket.',
        'Check its log, and restart it if it hangs.',
      );
    }
    if (info.protocol === PROTOCOL) return ok('accepted by the running server');
    return warning(
      `The running server is Parley ${info.version} and this command is Parley ${VERSION}.`,
      'Restart the server after an upgrade, so that both are the same version.',
    );
  } catch (error) {
    return failed(
      `The server's socket cannot be reached (${error instanceof Error ? error.message : String(error)}).`,
      'Run this command as the user who runs the server, or as root.',
    );
  }
}
