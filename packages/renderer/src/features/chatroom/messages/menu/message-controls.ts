import type { JumpTarget } from '@parley/client';
import type { Message } from '@parley/contract';
import type { MouseEvent } from 'react';

/** What the buttons of a message do. One menu and one dialog serve all messages of a list. */
export interface MessageControls {
  /** Opens or closes the menu of the message that contains the clicked button. */
  toggleMenu: (event: MouseEvent<HTMLElement>) => void;
  /**
   * Jumps to a message.
   * @param from `seq` of the message from which the user jumps
   */
  jump: (to: JumpTarget, from?: number) => void;
  /** Asks whether to delete messages. The focus returns to the given button. */
  confirmDelete: (messages: readonly Message[], button: HTMLElement) => void;
}
