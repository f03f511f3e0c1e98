import type { SessionInfo } from '@parley/contract';
import { describeDevice } from '../describe-device.ts';
import type { Delivery } from './describe-delivery.ts';

/** The name of the text about when a device notifies the user. */
type ReachText = `device${'Closed' | 'Open' | 'App' | 'Never'}` | `other${'Open' | 'App'}`;

/**
 * Returns the name of the text about when a device notifies the user. Whether a device allows notifications is only
 * known on that device.
 * @param isPushed whether the server sends it push messages
 * @param reach when notifications arrive on this device
 */
export function describeReach(
  { device, isCurrent }: Pick<SessionInfo, 'device' | 'isCurrent'>,
  isPushed: boolean,
  reach: Delivery['reach'],
): ReachText {
  const isApp = describeDevice(device)?.browser === 'Parley';
  if (!isCurrent) {
    if (isPushed) return 'deviceClosed';
    return isApp ? 'otherApp' : 'otherOpen';
  }
  if (reach === 'closed') return 'deviceClosed';
  if (reach === 'never') return 'deviceNever';
  return isApp ? 'deviceApp' : 'deviceOpen';
}
