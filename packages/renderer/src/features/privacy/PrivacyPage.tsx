import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useHost, usePublicConfig } from '../../host/host-context.ts';
import { PATHS } from '../../navigation/paths.ts';
import { useFocusOnNavigation } from '../../shared/screen/use-focus-on-navigation.ts';
import { usePageTitle } from '../../shared/screen/use-page-title.ts';
import { Logo } from '../../ui/Logo.tsx';
import css from './PrivacyPage.module.css';

/** The chapters of one paragraph between the kinds of data and the rights. */
const CHAPTERS = ['purpose', 'storage', 'push', 'security', 'reports'] as const;

/** `/privacy`: the public privacy policy, with details from the operator's configuration. */
export function PrivacyPage() {
  const { t } = useTranslation();
  const heading = useFocusOnNavigation<HTMLHeadingElement>();
  usePageTitle(t('privacy.title'));
  return (
    <div className={css.page}>
      <header className={css.brand}>
        <Link to={PATHS.login}>
          <Logo size={32} />
          {t('app.name')}
        </Link>
      </header>
      <main className={css.text}>
        <h1 ref={heading} tabIndex={-1}>
          {t('privacy.title')}
        </h1>
        <p className={css.lead}>{t('privacy.lead')}</p>
        <Chapter title={t('privacy.controller')}>
          <Controller />
        </Chapter>
        <Chapter title={t('privacy.types')}>
          <Items name="type" />
        </Chapter>
        {CHAPTERS.map((name) => (
          <Chapter key={name} title={t(`privacy.${name}`)}>
            <p>{t(`privacy.${name}Text`)}</p>
          </Chapter>
        ))}
        <Chapter title={t('privacy.rights')}>
          <Items name="right" />
        </Chapter>
        <Chapter title={t('privacy.disclaimer')}>
          <p>{t('privacy.disclaimerText')}</p>
        </Chapter>
        <Chapter title={t('privacy.contact')}>
          <Contact />
        </Chapter>
        <p className={css.updated}>{t('privacy.updated')}</p>
      </main>
    </div>
  );
}

function Chapter({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** A list of texts with numbers. */
function Items({ name }: { name: 'type' | 'right' }) {
  const { t } = useTranslation();
  return (
    <ul>
      {([1, 2, 3, 4, 5, 6] as const).map((number) => (
        <li key={number}>{t(`privacy.${name}${number}`)}</li>
      ))}
    </ul>
  );
}

function Controller() {
  const { t } = useTranslation();
  const { name, address, website } = usePublicConfig().operator;
  const { serverOrigin } = useHost();
  if (name === undefined) {
    return <p>{t('privacy.controllerUnset', { host: new URL(serverOrigin).host })}</p>;
  }
  return (
    <>
      <p>{t('privacy.controllerText')}</p>
      <address>
        {name}
        {address !== undefined && `\n${address}`}
        {website !== undefined && (
          <a href={website} rel="noopener noreferrer">
            {website}
          </a>
        )}
      </address>
    </>
  );
}

function Contact() {
  const { t } = useTranslation();
  const { email } = usePublicConfig().operator;
  if (email === undefined) return <p>{t('privacy.contactUnset')}</p>;
  return (
    <p>
      {t('privacy.contactText')} <a href={`mailto:${email}`}>{email}</a>
    </p>
  );
}
