import { ArrowLeft } from 'lucide-react';
import { BackLink } from './BackLink.tsx';
import css from './ScreenHeader.module.css';
import { useFocusOnNavigation } from './use-focus-on-navigation.ts';
import { usePageTitle } from './use-page-title.ts';

/** The header of a signed-in screen with its title and the back link. */
export function ScreenHeader({ title, backLabel }: { title: string; backLabel: string }) {
  usePageTitle(title);
  const heading = useFocusOnNavigation<HTMLHeadingElement>();
  return (
    <header className={css.header} data-screen-header>
      <BackLink label={backLabel} icon={<ArrowLeft />} />
      <h1 ref={heading} tabIndex={-1} className={css.title}>
        {title}
      </h1>
    </header>
  );
}
