import { createContext, useContext } from 'react';
import { depthOf, openImageOf } from './entry-state.ts';
import { screenPath } from './paths.ts';

/** The part of the router that is needed. */
interface AddressRouter {
  state: {
    location: { pathname: string; search: string; state?: unknown };
    navigation: { state: string };
  };
  subscribe: (listener: () => void) => () => void;
  navigate: (
    to: { pathname: string; search: string },
    options: { replace: boolean },
  ) => void | Promise<void>;
}

/** Makes the path of a message that of its chatroom. Returns a function that ends the waiting for that. */
export type ShortenAddress = (path: string) => () => void;

/** Provided by the router. */
export const ShortenAddressContext = createContext<ShortenAddress | undefined>(undefined);

/** Returns the function that makes the path of a message that of its chatroom. */
export function useShortenAddress(): ShortenAddress {
  const shorten = useContext(ShortenAddressContext);
  if (!shorten) throw new Error('useShortenAddress needs a ShortenAddressContext above it');
  return shorten;
}

/**
 * Makes the path of a message that of its chatroom, as the message has been shown. What is open above the chatroom has
 * an entry of its own, below which the path would remain, so it waits until that is closed. It asks the router, as
 * React may render an entry after the browser has left it.
 */
export function shortenAddress(router: AddressRouter, path: string): () => void {
  let isWaiting = true;
  const shorten = (): void => {
    const { location, navigation } = router.state;
    // Another navigation would be canceled.
    if (!isWaiting || navigation.state !== 'idle' || location.pathname !== path) return;
    if (depthOf(location.state) > 0 || openImageOf(location.state) !== undefined) return;
    stop();
    const { search } = location;
    void router.navigate({ pathname: screenPath(path), search }, { replace: true });
  };
  // The router completes its own navigation first.
  const unsubscribe = router.subscribe(() => queueMicrotask(shorten));
  const stop = (): void => {
    isWaiting = false;
    unsubscribe();
  };
  shorten();
  return stop;
}
