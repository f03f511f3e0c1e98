import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/**
 * Calls `onParam` with the value of a parameter of the address that the user has opened. Removes it from the
 * address, so that a reload or going back does not repeat it.
 * @param isReady whether it can be handled now
 */
export function useAddressParam(
  name: string,
  isReady: boolean,
  onParam: (value: string) => void,
): void {
  const navigate = useNavigate();
  const { pathname, search, key } = useLocation();
  const consumedKey = useRef<string>(undefined);
  const value = new URLSearchParams(search).get(name);
  const consume = useEffectEvent((consumed: string, locationKey: string) => {
    if (consumedKey.current === locationKey) return;
    consumedKey.current = locationKey;
    const params = new URLSearchParams(search);
    params.delete(name);
    void navigate({ pathname, search: params.toString() }, { replace: true });
    onParam(consumed);
  });
  useEffect(() => {
    if (isReady && value !== null) consume(value, key);
  }, [isReady, value, key]);
}
