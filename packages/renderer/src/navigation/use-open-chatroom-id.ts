import { matchPath, useLocation } from 'react-router-dom';
import { PATHS, screenPath } from './paths.ts';

/** Returns the id of the chatroom that is shown, also at one of its messages. Undefined on other screens. */
export function useOpenChatroomId(): string | undefined {
  return matchPath(PATHS.chatroom, screenPath(useLocation().pathname))?.params.id;
}
