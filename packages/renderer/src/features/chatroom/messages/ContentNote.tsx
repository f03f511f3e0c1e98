import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import css from './ContentNote.module.css';

interface ContentNoteProps {
  icon: LucideIcon;
  text: string;
  /** The message's time and state. */
  children: ReactNode;
}

/** Says what of a message is not displayed, such as an image in a request, which is not loaded. */
export function ContentNote({ icon: Icon, text, children }: ContentNoteProps) {
  return (
    <div className={css.note}>
      <span className={css.words}>
        <Icon />
        {text}
      </span>
      {children}
    </div>
  );
}
