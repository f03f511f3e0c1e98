import { app, powerMonitor } from 'electron';
import { log } from '../log/log.ts';

/** Chromium's name of the network process. */
const NETWORK_SERVICE = 'network.mojom.NetworkService';

interface SystemEventsDeps {
  /** Called when the computer wakes up. */
  onResume: () => void;
  /** Called when the network process has ended. Chromium then starts a new one. */
  onNetworkGone: () => void;
}

/** Logs system events and forwards those that pages need. */
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
