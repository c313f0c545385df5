/**
 * Names of the months in twenty languages, folded: long, short, and the forms used in dates (Unicode CLDR, `months.spec.ts`). Short ones only in
 * languages where they are seldom ordinary words. Written out: twenty languages of Intl take 14 MiB and 40 ms.
 */
const NAMES = [
  `
    ene enero gennaio ianuarie jan janeiro januar januara januari january janv janvier leden ledna ocak styczen
    stycznia tammikuu tammikuuta ιανουαριου січень січня янв январь января`,
  `
    feb febbraio febrero februar februara februari februarie february fev fevereiro fevr fevrier helmikuu helmikuuta
    lutego luty subat unor unora φεβρουαριου лютии лютого февр февраль февраля`,
  `
    brezen brezna maaliskuu maaliskuuta maart maerz mar marca march marcius marco marec mars martie marts marz marzec
    marzo mrt μαρτιου березень березня мар март марта`,
  `
    abr abril apr april aprila aprile aprilie aprilis avr avril duben dubna huhtikuu huhtikuuta kwiecien kwietnia
    nisan απριλιου апр апрель апреля квітень квітня`,
  `
    kveten kvetna maggio mai maio maj maja majus may mayo mayıs mei toukokuu toukokuuta μαιου маи мая травень травня`,
  `
    cerven cervna czerwca czerwiec giu giugno haziran iunie juin jun juna june junho juni junio junius kesakuu
    kesakuuta ιουνιου июн июнь июня червень червня`,
  `
    cervence cervenec heinakuu heinakuuta iulie juil juillet jul jula julho juli julio julius july lipca lipiec lug
    luglio temmuz ιουλιου июл июль июля липень липня`,
  `
    agosto agustos aout aug august augusta augusti augustus augusztus elokuu elokuuta sierpien sierpnia srpen srpna
    αυγουστου авг август августа серпень серпня`,
  `
    eylul sep sept september septembra septembre septembrie septiembre setembro settembre syyskuu syyskuuta
    szeptember wrzesien wrzesnia zari σεπτεμβριου вересень вересня сент сентябрь сентября`,
  `
    ekim lokakuu lokakuuta oct october octobre octombrie octubre okt oktober oktobra ott ottobre outubro pazdziernik
    pazdziernika rijen rijna οκτωβριου жовтень жовтня окт октябрь октября`,
  `
    kasım listopad listopada listopadu marraskuu marraskuuta noiembrie nov november novembra novembre novembro
    noviembre νοεμβριου листопад листопада нояб ноябрь ноября`,
  `
    aralık dec december decembra decembre decembrie des desember dez dezember dezembro dic dicembre diciembre grudnia
    grudzien joulukuu joulukuuta prosince prosinec δεκεμβριου грудень грудня дек декабрь декабря`,
]

/** The number of each month, 1 to 12, by its names. */
const NUMBERS: ReadonlyMap<string, number> = new Map(
  NAMES.flatMap((names, at) =>
    names
      .trim()
      .split(/\s+/)
      .map((name): [string, number] => [name, at + 1]),
  ),
)

/** The month that a folded word names, 1 to 12, or undefined. */
export function monthOf(word: string): number | undefined {
  return NUMBERS.get(word)
}

/** A text without diacritics, in compatibility form (NFKD), case kept: the input for claims. */
export function unmarked(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : text.normalize('NFKD').replace(/\p{M}+/gu, '')
}

/** A word for comparison: without diacritics and case. */
export function folded(word: string): string {
  return unmarked(word).toLowerCase()
}
