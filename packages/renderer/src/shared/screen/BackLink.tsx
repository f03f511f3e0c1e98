import type { MouseEvent, ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { isPreviousPath } from '../../routes/history-trail.ts';
import { PATHS } from '../../routes/paths.ts';
import { IconLink } from '../../ui/IconLink.tsx';

interface BackLinkProps {
  label: string;
  icon: ReactNode;
}

/** A link to the chat list. It goes back in the history if the list is the previous entry. */
export function BackLink({ label, icon }: BackLinkProps) {
  const navigate = useNavigate();
  const goBack = (event: MouseEvent): void => {
    const isPlainClick = !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !isPlainClick || !isPreviousPath(PATHS.chats)) return;
    event.preventDefault();
    void navigate(-1);
  };
  return <IconLink to={PATHS.chats} label={label} side="bottom" icon={icon} onClick={goBack} />;
}
