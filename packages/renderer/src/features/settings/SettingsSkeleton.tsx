import { Card } from '../../ui/Card.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

const SECTIONS = ['9rem', '4.5rem', '13rem'];

/** The settings' places while they load. */
export function SettingsSkeleton({ label }: { label: string }) {
  return (
    <>
      <output className="visually-hidden">{label}</output>
      {SECTIONS.map((height) => (
        <Card key={height}>
          <Skeleton width="8rem" />
          <Skeleton shape="box" height={height} />
        </Card>
      ))}
    </>
  );
}
