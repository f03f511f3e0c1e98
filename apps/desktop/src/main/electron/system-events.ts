import { app, powerMonitor } from 'electron';
import { log } from '../log/log.ts';

/** How Chromium calls the process that does all networking. */
const NETWORK_SERVICE = 'network.mojom.NetworkService';

interface SystemEventsDeps {
  /** The computer woke up. */
  onResume: () => void;
  /** The network process ended; Chromium starts another one. */
  onNetworkGone: () => void;
}

/** Logs what happens to the app from outside, and hands on what pages have to know. */
export function watchSystem(deps: SystemEventsDeps): void {
  powerMonitor.on('resume', () => {
    log.info('resume');
    deps.onResume();
  });
  app.on('child-process-gone', (_event, { type, reason, exitCode, serviceName }) => {
    log.warn('child-process-gone', { type, reason, exitCode, service: serviceName });
    if (serviceName === NETWORK_SERVICE) deps.onNetworkGone();
  });
}

/** Logs errors that nothing handles. Electron shows uncaught ones to the user by itself. */
export function logUnhandledErrors(): void {
  process.on('uncaughtExceptionMonitor', (error) => log.error('uncaught-exception', error));
  process.on('unhandledRejection', (reason) => {
    log.error('unhandled-rejection', reason);
    process.stderr.write(`${reason instanceof Error ? reason.stack : String(reason)}\n`);
  });
}
