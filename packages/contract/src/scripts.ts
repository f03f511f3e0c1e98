// Determines the scripts of a name according to Unicode Technical Standard #39.

/** Script codes of Unicode 17. Browsers that do not know a code skip it. */
const SCRIPTS =
  'Latn Cyrl Grek Arab Hebr Deva Hani Hira Kana Hang Bopo Thai Adlm Aghb Ahom Armi Armn Avst Bali Bamu ' +
  'Bass Batk Beng Berf Bhks Brah Brai Bugi Buhd Cakm Cans Cari Cham Cher Chrs Copt Cpmn Cprt Diak Dogr ' +
  'Dsrt Dupl Egyp Elba Elym Ethi Gara Geor Glag Gong Gonm Goth Gran Gujr Gukh Guru Hano Hatr Hluw Hmng ' +
  'Hmnp Hung Ital Java Kali Kawi Khar Khmr Khoj Kits Knda Krai Kthi Lana Laoo Lepc Limb Lina Linb Lisu ' +
  'Lyci Lydi Mahj Maka Mand Mani Marc Medf Mend Merc Mero Miao Mlym Modi Mong Mroo Mtei Mult Mymr Nagm ' +
  'Nand Narb Nbat Newa Nkoo Nshu Ogam Olck Onao Orkh Orya Osge Osma Ougr Palm Pauc Perm Phag Phli Phlp ' +
  'Phnx Plrd Prti Rjng Rohg Runr Samr Sarb Saur Sgnw Shaw Shrd Sidd Sidt Sind Sinh Sogd Sogo Sora Soyo ' +
  'Sund Sunu Sylo Syrc Tagb Takr Tale Talu Taml Tang Tavt Tayo Telu Tfng Tglg Thaa Tibt Tirh Tnsa Todr ' +
  'Tols Toto Tutg Ugar Vaii Vith Wara Wcho Xpeo Xsux Yezi Yiii Zanb';

/** Writing systems that combine several scripts. */
const SYSTEMS: Readonly<Record<string, readonly string[]>> = {
  Hani: ['Hanb', 'Jpan', 'Kore'],
  Hira: ['Jpan'],
  Kana: ['Jpan'],
  Hang: ['Kore'],
  Bopo: ['Hanb'],
};
const LATIN_COMPATIBLE = ['Hanb', 'Jpan', 'Kore'];

let patterns: readonly (readonly [code: string, pattern: RegExp])[] | undefined;

/** Returns the scripts and writing systems that use a character, or undefined if all do. */
function scriptsOf(character: string): Set<string> | undefined {
  patterns ??= SCRIPTS.split(' ').flatMap((code) => {
    try {
      return [[code, new RegExp(`\\p{Script_Extensions=${code}}`, 'u')] as const];
    } catch {
      return [];
    }
  });
  const scripts = new Set<string>();
  for (const [code, pattern] of patterns) {
    if (!pattern.test(character)) continue;
    scripts.add(code);
    for (const system of SYSTEMS[code] ?? []) scripts.add(system);
  }
  // The server checks characters of scripts that this browser does not know.
  return scripts.size === 0 ? undefined : scripts;
}

/**
 * Returns whether a text meets the restriction level "highly restrictive" of UTS #39: one script,
 * or Latin with the scripts of Chinese, Japanese or Korean.
 */
export function isHighlyRestrictive(text: string): boolean {
  let common: Set<string> | undefined;
  let latinCompatible: Set<string> = new Set(LATIN_COMPATIBLE);
  for (const character of text) {
    const scripts = scriptsOf(character);
    if (scripts === undefined) continue;
    common = common === undefined ? scripts : intersect(common, scripts);
    if (!scripts.has('Latn')) latinCompatible = intersect(latinCompatible, scripts);
  }
  return common === undefined || common.size > 0 || latinCompatible.size > 0;
}

function intersect(a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> {
  return new Set(Array.from(a).filter((each) => b.has(each)));
}
