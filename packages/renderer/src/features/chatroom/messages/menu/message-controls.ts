import type { Message } from '@parley/contract';
import type { MouseEvent } from 'react';

/** What the buttons of a message do. One menu and one dialog serve all messages of a list. */
export interface MessageControls {
  /** Opens or closes the menu of the message that contains the clicked button. */
  toggleMenu: (event: MouseEvent<HTMLElement>) => void;
  /** Asks whether to delete a message. The focus returns to the given button. */
  confirmDelete: (message: Message, button: HTMLElement) => void;
}
