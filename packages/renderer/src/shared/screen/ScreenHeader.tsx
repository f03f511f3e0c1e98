import type { ReactNode } from 'react';
import { BackLink } from './BackLink.tsx';
import css from './ScreenHeader.module.css';
import { useFocusOnNavigation } from './use-focus-on-navigation.ts';
import { usePageTitle } from './use-page-title.ts';

interface ScreenHeaderProps {
  title: string;
  /** The title of the page in the browser, if it differs. */
  pageTitle?: string;
  backLabel: string;
  /** The path that the back link goes to. The chat list by default. */
  backTo?: string;
  /** The line below the title, such as a username. */
  note?: string;
  /** What stays in view below the title, such as tabs. */
  children?: ReactNode;
}

/** The header of a screen with the back link at its start, and the title. */
export function ScreenHeader(props: ScreenHeaderProps) {
  const { title, pageTitle = title, backLabel, backTo, note, children } = props;
  usePageTitle(pageTitle);
  const heading = useFocusOnNavigation<HTMLHeadingElement>();
  return (
    <header className={css.header} data-screen-header>
      <div className={css.bar}>
        <BackLink label={backLabel} to={backTo} />
        <div className={css.words}>
          <h1 ref={heading} tabIndex={-1} className={css.title}>
            {title}
          </h1>
          {note !== undefined && (
            <p className={css.note} dir="auto">
              {note}
            </p>
          )}
        </div>
      </div>
      {children}
    </header>
  );
}
