import type { NotificationSettings } from '@parley/contract';
import { useEffect, useReducer } from 'react';
import { useSettings } from '../../../app/app-context.ts';
import { usePushStatus } from '../../../client/push-context.ts';
import { useNow } from '../../../format/use-clock.ts';
import { useHost } from '../../../host/host-context.ts';
import { describeDelivery, type Delivery } from './describe-delivery.ts';

/**
 * Returns what will happen on this device when a message arrives, and a function that checks again whether
 * notifications are allowed.
 */
export function useDelivery(settings: NotificationSettings | undefined): {
  delivery: Delivery;
  refresh: () => void;
} {
  const host = useHost();
  const pushStatus = usePushStatus();
  const isTurnedOff = useSettings(({ areNotificationsOff }) => areNotificationsOff);
  const refresh = useRefresh();
  const now = useNow();
  const delivery = describeDelivery({
    permission: host.notificationState(),
    isTurnedOff,
    push: host.push?.support,
    pushStatus,
    settings,
    now,
  });
  return { delivery, refresh };
}

/** Rerenders when the user returns, such as from the browser's settings, or when the returned function is called. */
function useRefresh(): () => void {
  const [, refresh] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    document.addEventListener('visibilitychange', refresh);
    window.addEventListener('focus', refresh);
    return () => {
      document.removeEventListener('visibilitychange', refresh);
      window.removeEventListener('focus', refresh);
    };
  }, []);
  return refresh;
}
