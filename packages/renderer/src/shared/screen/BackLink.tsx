import { ArrowLeft } from 'lucide-react';
import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { isPreviousPath } from '../../navigation/history-trail.ts';
import { PATHS } from '../../navigation/paths.ts';
import { IconLink } from '../../ui/IconLink.tsx';

interface BackLinkProps {
  label: string;
  /** The path to go to. The chat list by default. */
  to?: string | undefined;
}

/** A link to the chat list, or another path. It goes back in the history if that is the previous entry. */
export function BackLink({ label, to = PATHS.chats }: BackLinkProps) {
  const navigate = useNavigate();
  const goBack = (event: MouseEvent): void => {
    const isPlainClick = !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !isPlainClick || !isPreviousPath(to)) return;
    event.preventDefault();
    void navigate(-1);
  };
  return <IconLink to={to} label={label} side="bottom" icon={<ArrowLeft />} onClick={goBack} />;
}
