import { LANGUAGE_CODES, LANGUAGES } from '@parley/texts';
import type { ReactNode, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useLanguage, useSwitchLanguage } from '../../i18n/use-language.ts';
import { PATHS } from '../../navigation/paths.ts';
import { Card } from '../../ui/Card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Logo } from '../../ui/Logo.tsx';
import { usePageTitle } from '../screen/use-page-title.ts';
import css from './AuthFrame.module.css';
import { BackgroundShapes } from './BackgroundShapes.tsx';

interface AuthFrameProps {
  title: string;
  /** Ref of the title, which makes it focusable. */
  titleRef?: Ref<HTMLHeadingElement>;
  /** A picture above the title. */
  picture?: ReactNode;
  /** Whether the card's content is centered, as it is not a form. */
  isCentered?: boolean;
  lead?: string;
  /** A notice above the form. */
  notice?: ReactNode;
  children: ReactNode;
  /** Links to related forms. */
  links?: ReactNode;
}

/** The layout of the forms for guests: a card over the background shapes. */
export function AuthFrame({
  title,
  titleRef,
  picture,
  isCentered = false,
  lead,
  notice,
  children,
  links,
}: AuthFrameProps) {
  const { t } = useTranslation();
  usePageTitle(title);
  return (
    <div className={css.page}>
      <BackgroundShapes />
      <main className={css.main}>
        <p className={css.brand}>
          <Logo size={36} />
          {t('app.name')}
        </p>
        <Card className={classNames(css.card, isCentered && css.centered)}>
          {picture}
          <h1 ref={titleRef} tabIndex={titleRef ? -1 : undefined} className={css.title}>
            {title}
          </h1>
          {lead !== undefined && <p className={css.lead}>{lead}</p>}
          {notice}
          {children}
        </Card>
        {links !== undefined && <nav className={css.links}>{links}</nav>}
      </main>
      <footer className={css.footer}>
        <LanguageLinks />
        <Link to={PATHS.privacy}>{t('frame.privacy')}</Link>
      </footer>
    </div>
  );
}

function LanguageLinks() {
  const { t } = useTranslation();
  const current = useLanguage();
  const switchLanguage = useSwitchLanguage();
  return (
    <fieldset aria-label={t('ui.language')} className={css.languages}>
      {LANGUAGE_CODES.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={language === current}
          onClick={() => void switchLanguage(language)}
        >
          {LANGUAGES[language].name}
        </button>
      ))}
    </fieldset>
  );
}
