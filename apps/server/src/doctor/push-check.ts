import type { Config } from '../config.ts';
import { countDevices } from '../notifications/subscription.service.ts';
import { contactOf } from '../notifications/vapid.ts';
import type { Storage } from '../storage/storage.ts';
import { createFindings, type Finding } from './finding.ts';

const push = createFindings('push');

/** Checks whether the push services of the users' devices accept notifications. */
export async function checkPush(
  storage: Pick<Storage, 'read'>,
  config: Pick<Config, 'operator' | 'publicUrl'>,
): Promise<Finding> {
  const { total, failing } = await countDevices({ storage });
  const devices = total === 1 ? '1 device' : `${total} devices`;
  const found = `${devices} with notifications`;
  if (total > 0 && contactOf(config) === undefined) {
    return push.warning(
      `${found}, but push services are given no contact, without which Apple refuses notifications.`,
      'Set PARLEY_OPERATOR_EMAIL, or PARLEY_PUBLIC_URL to an address with https.',
    );
  }
  if (failing === 0 || failing < total / 2) return push.ok(found);
  return push.warning(
    `${found}, of which ${failing} have been unreachable for a day or more.`,
    'Allow this machine to connect to push services by https (port 443), or list their origins in PARLEY_PUSH_ORIGINS.',
  );
}
