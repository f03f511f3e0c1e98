import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { PushRegistration, PushStatus } from './push-registration.ts';

/** The push messages of this browser, provided by `ClientProvider`. */
export const PushContext = createContext<PushRegistration | undefined>(undefined);

/** Returns the push messages of this browser. Must be used inside `ClientProvider`. */
export function usePushRegistration(): PushRegistration {
  const device = useContext(PushContext);
  if (!device) throw new Error('usePushRegistration needs a ClientProvider above it');
  return device;
}

/** Returns whether push messages reach this browser. Rerenders when that changes. */
export function usePushStatus(): PushStatus {
  return useStore(usePushRegistration().status, ({ status }) => status);
}
