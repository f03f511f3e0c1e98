import { lazy, type ComponentType } from 'react';

/** Loads a component, or nothing if that fails. The menus have most of its actions. */
function lazyOptional<P>(load: () => Promise<{ default: ComponentType<P> }>) {
  return lazy(() => load().catch(() => ({ default: (_props: P) => null })));
}

/** Moves and swipes of rows, which load after the first rows are there. */
export const LazyListGestures = lazyOptional(() => import('./gestures/ListGestures.tsx'));

/** The item of a chat's menu that deletes it. */
export const LazyDeleteChatItem = lazyOptional(() => import('./gestures/DeleteChatItem.tsx'));

/** The dialog that it opens. */
export const LazyDeleteChatDialog = lazyOptional(
  () => import('../../shared/chat-menu/DeleteChatDialog.tsx'),
);

/** The items of the menu of a pinned chat. */
export const LazyPinMoveItems = lazyOptional(() => import('./gestures/PinMoveItems.tsx'));
