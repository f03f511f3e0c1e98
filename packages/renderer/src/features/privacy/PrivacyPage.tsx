import { Fragment, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useHost, usePublicConfig } from '../../host/host-context.ts';
import { findPreviousPath } from '../../navigation/history-trail.ts';
import { PATHS } from '../../navigation/paths.ts';
import { ScreenHeader } from '../../shared/screen/ScreenHeader.tsx';
import css from './PrivacyPage.module.css';

const TYPES = [
  'privacy.type1',
  'privacy.type2',
  'privacy.type3',
  'privacy.type4',
  'privacy.type5',
] as const;

const RIGHTS = [
  'privacy.right1',
  'privacy.right2',
  'privacy.right3',
  'privacy.right4',
  'privacy.right5',
  'privacy.right6',
] as const;

/** The chapters of the dated section, about what was added after the date of the policy. */
const ADDED = [
  'reactions',
  'receipts',
  'typing',
  'presence',
  'storage',
  'copy',
  'push',
  'people',
  'reports',
  'address',
  'exports',
] as const;

/** `/privacy`: the public privacy policy, with details from the operator's configuration. */
export function PrivacyPage() {
  const { t } = useTranslation();
  // Most open the policy in a tab of its own, which then goes to the first screen of the app.
  const [backPath] = useState(() => findPreviousPath() ?? PATHS.login);
  return (
    <div className={css.page}>
      <ScreenHeader title={t('privacy.title')} backLabel={t('privacy.back')} backTo={backPath} />
      <main className={css.text}>
        <p className={css.lead}>{t('privacy.lead')}</p>
        <Chapter title={t('privacy.controller')}>
          <Controller />
        </Chapter>
        <Chapter title={t('privacy.types')}>
          <Items keys={TYPES} />
        </Chapter>
        <Chapter title={t('privacy.purpose')}>
          <p>{t('privacy.purposeText')}</p>
        </Chapter>
        <Chapter title={t('privacy.security')}>
          <p>{t('privacy.securityText')}</p>
        </Chapter>
        <Chapter title={t('privacy.rights')}>
          <Items keys={RIGHTS} />
        </Chapter>
        <Chapter title={t('privacy.disclaimer')}>
          <p>{t('privacy.disclaimerText')}</p>
        </Chapter>
        <Chapter title={t('privacy.contact')}>
          <Contact />
        </Chapter>
        <p className={css.updated}>{t('privacy.updated')}</p>
        <Chapter title={t('privacy.added')}>
          {ADDED.map((name) => (
            <Fragment key={name}>
              <h3>{t(`privacy.${name}`)}</h3>
              <p>{t(`privacy.${name}Text`)}</p>
            </Fragment>
          ))}
        </Chapter>
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

function Items({ keys }: { keys: typeof TYPES | typeof RIGHTS }) {
  const { t } = useTranslation();
  return (
    <ul>
      {keys.map((key) => (
        <li key={key}>{t(key)}</li>
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
