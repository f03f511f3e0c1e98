import { MESSAGE_PARAM } from '../../../navigation/paths.ts';
import { useAddressParam } from '../use-address-param.ts';

/**
 * Calls `onLinked` with the `seq` of the message in the link that the user has opened, or 0 if the link is
 * malformed.
 * @param isReady whether the chatroom is loaded
 */
export function useLinkedMessage(isReady: boolean, onLinked: (seq: number) => void): void {
  useAddressParam(MESSAGE_PARAM, isReady, (linked) =>
    onLinked(/^[1-9]\d{0,14}$/.test(linked) ? Number(linked) : 0),
  );
}
