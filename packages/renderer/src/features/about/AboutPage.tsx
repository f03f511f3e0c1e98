import { Check, CodeXml, Globe, Mail, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePublicConfig } from '../../host/host-context.ts';
import { ScreenHeader } from '../../shared/screen/ScreenHeader.tsx';
import { Card } from '../../ui/Card.tsx';
import { Logo } from '../../ui/Logo.tsx';
import css from './AboutPage.module.css';

const FEATURES = [
  'about.feature1',
  'about.feature2',
  'about.feature3',
  'about.feature4',
  'about.feature5',
  'about.feature6',
  'about.feature7',
  'about.feature8',
  'about.feature9',
  'about.feature10',
  'about.feature11',
  'about.feature12',
] as const;

const TECHNOLOGIES = [
  'TypeScript',
  'React',
  'React Router',
  'zustand',
  'Base UI',
  'i18next',
  'ky',
  'Socket.IO',
  'emoji-picker-react',
  'React-Toastify',
  'Vite',
  'Fastify',
  'SQLite',
  'PostgreSQL',
  'Kysely',
  'Argon2',
  'Nodemailer',
  'Electron',
  'Vitest',
  'Playwright',
];

/** `/about-us`: the developers, the operator, the features and links. */
export function AboutPage() {
  const { t } = useTranslation();
  const { operator, version } = usePublicConfig();
  return (
    <>
      <ScreenHeader title={t('about.title')} backLabel={t('about.back')} />
      <div className={css.page}>
        <section className={css.hero}>
          <Logo size={72} />
          <p className={css.name}>{t('app.name')}</p>
          <p className={css.version}>{t('about.version', { version })}</p>
          <p className={css.lead}>{t('about.lead')}</p>
        </section>
        <Card className={css.card}>
          <h2>{t('about.features')}</h2>
          <ul className={css.features}>
            {FEATURES.map((key) => (
              <li key={key}>
                <Check />
                {t(key)}
              </li>
            ))}
          </ul>
        </Card>
        <Card className={css.card}>
          <h2>{t('about.developers')}</h2>
          <p>{t('about.developersText')}</p>
          {operator.name !== undefined && <p>{t('about.operatedBy', { name: operator.name })}</p>}
        </Card>
        <Card className={css.card}>
          <h2>{t('about.technologies')}</h2>
          <ul className={css.technologies}>
            {TECHNOLOGIES.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
          <p>{t('about.emoji')}</p>
        </Card>
        <OperatorLinks />
      </div>
    </>
  );
}

function OperatorLinks() {
  const { t } = useTranslation();
  const { demoUrl, sourceUrl, website, email } = usePublicConfig().operator;
  if (!demoUrl && !sourceUrl && !website && !email) return null;
  return (
    <Card className={css.card}>
      <h2>{t('about.links')}</h2>
      <ul className={css.links}>
        <ExternalLink href={demoUrl} icon={<Play />} label={t('about.demo')} />
        <ExternalLink href={sourceUrl} icon={<CodeXml />} label={t('about.source')} />
        <ExternalLink href={website} icon={<Globe />} label={t('about.website')} />
        {email !== undefined && (
          <li>
            <a href={`mailto:${email}`}>
              <Mail />
              <span>
                {t('about.contact')}
                <small>{email}</small>
              </span>
            </a>
          </li>
        )}
      </ul>
    </Card>
  );
}

interface ExternalLinkProps {
  href: string | undefined;
  icon: ReactNode;
  label: string;
}

function ExternalLink({ href, icon, label }: ExternalLinkProps) {
  const { t } = useTranslation();
  if (href === undefined) return null;
  return (
    <li>
      <a href={href} target="_blank" rel="noopener noreferrer">
        {icon}
        <span>
          {label}
          <small>{href.replace(/^https?:\/\//, '')}</small>
        </span>
        <span className="visually-hidden">({t('app.newTab')})</span>
      </a>
    </li>
  );
}
