/** Function words without a topic, in English, German, French, Spanish and Italian, folded. */
const FUNCTION_WORDS = new Set(
  (
    'a an the of in on at to for from by with or and not is are was were be been being do does did has have had can could will would should may might must it its this that these those ' +
    'i you he she we they my your his her our their me him them us what which who whom whose when where why how there here about into than then so if as but also both each every all any ' +
    'some many most more few several such no nor only own same other another over under between after before since until while during through because although though however therefore ' +
    'moreover furthermore meanwhile overall finally additionally according despite unlike within without among across against along around behind beyond per via yet still just even once ' +
    'der die das den dem des ein eine einen einem einer eines und oder nicht ist sind war waren wird werden wurde wurden hat haben hatte bei nach vor von vom im zu zum zur mit fur auf aus als auch am ' +
    'an es er sie wir ihr sich dass wenn wie was wer wo uber unter durch gegen ohne um bis seit noch nur aber doch laut dabei damit diese dieser dieses ' +
    'le la les un une des du de et ou est sont etait que qui dans pour par sur avec sans ce cette ces il elle ils elles on nous vous se sa son ses leur au aux plus ne pas selon ' +
    'el los las una unos unas y o es son fue eran del al en por para con sin como su sus lo se que mas segun este esta estos estas ' +
    'il lo gli uno di da nel nella con per tra fra che non sono era'
  ).split(' '),
)
/** Titles, offices, weekdays and abbreviations that are never names. */
const NO_NAMES = new Set(
  (
    'mr mrs ms dr prof sir lady lord st jr sr ceo cfo cto coo vp hr pr ai it tv pc faq pdf api url id ok am pm ad bc ce bce monday tuesday wednesday ' +
    'thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche ' +
    'source sources'
  ).split(' '),
)
/** Ordinary words that start sentences; inside a name (World Bank, First Solar) they are part of it. */
const OPENERS = new Set(
  (
    'north south east west northern southern eastern western internet web note figure table chapter section part page first second third one two three ' +
    'four five six seven eight nine ten researchers scientists experts analysts studies study research report reports data sales revenue profit prices ' +
    'price costs cost people users customers companies company firms government officials critics market markets growth demand supply production ' +
    'population results result evidence today yesterday tomorrow currently recently historically originally typically generally usually often later ' +
    'earlier early late now then next last previous total average about nearly almost roughly approximately up down new old key main major annual yearly ' +
    'monthly global worldwide national local public private members workers employees staff shares stock income net gross spending investment trade ' +
    'exports imports inflation output capacity energy heat power electric water air see read click visit check use make take give get keep find try ask ' +
    'consider remember avoid choose add set start stop open close run write send buy sell pay save trust look good better best bad worse worst high higher ' +
    'highest low lower lowest large larger small smaller big great long short fast slow hot cold warm cool dry wet clean clear full empty free safe ' +
    'different similar common rare important simple easy hard modern recent past present future possible likely unlikely true false right wrong real other ' +
    'further beyond given based known man men woman women child children family home house city country state world year years month months week weeks day ' +
    'days time times way ways thing things kind type types form forms parts group groups number numbers level levels rate rates case cases point points ' +
    'fact facts value values amount size area place side end top bottom name names example examples problem problems question answer reason reasons effect ' +
    'effects cause causes change changes system systems method methods process product products service services model models plan plans project projects ' +
    'program programs law laws rule rules policy tax taxes bank banks money budget fund funds school schools student students university hospital doctors ' +
    'patients car cars bus buses train trains plane planes ship ships road roads food foods fish meat fruit plants trees animals birds dogs cats bees oil ' +
    'gas coal wood iron steel gold silver glass paper computer computers software hardware phone phones camera battery batteries engine engines light ' +
    'sound music film films book books game games news media chief executive president minister director founder manager chairman ' +
    'chairwoman spokesman spokeswoman chancellor mayor professor doctor author editor owner unter laut rund etwa knapp mehr weniger viele einige insgesamt zudem dabei dort hier jetzt ' +
    'heute'
  ).split(' '),
)
/** Endings of words that are rarely names. */
const ENDINGS = /(?:ing|ed|ly|tions?|sions?|ments?|ness|ity|ities|ists?|ances?|ences?|able|ible|ives?|ous|ful|less|ships?|isms?|ies|wise)$/
/** Demonyms, languages and adjectives of countries, with the name of the country. */
const COUNTRIES: ReadonlyMap<string, string> = new Map(
  (
    'german germany,europe european,american america,british britain,french france,spanish spain,italian italy,chinese china,japanese japan,indian india,russian russia,swiss switzerland,' +
    'austrian austria,dutch netherlands,belgian belgium,polish poland,portuguese portugal,swedish sweden,norwegian norway,danish denmark,finnish finland,greek greece,turkish turkey,' +
    'irish ireland,scottish scotland,welsh wales,canadian canada,mexican mexico,brazilian brazil,australian australia,korean korea,african africa,asian asia,ukrainian ukraine,' +
    'czech czechia,hungarian hungary,romanian romania,egyptian egypt,israeli israel,iranian iran,thai thailand,vietnamese vietnam,indonesian indonesia,argentine argentina,chilean chile,' +
    'californian california,parisian paris,roman rome,english england'
  )
    .split(',')
    .map((pair): [string, string] => {
      const [one = '', other = ''] = pair.split(' ')
      return [one, other]
    }),
)
const GERMAN = new Set('der die das den dem und ist nicht mit von im auf ein eine wird sich des zu'.split(' '))

/** True for a folded word without a topic. */
export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word)
}

/** True for a folded word that is never part of a name, even with a capital; in all capitals it may be initials, such as WHO. */
export function namesNothing(word: string, inCapitals: boolean): boolean {
  return word.length < 2 || NO_NAMES.has(word) || (!inCapitals && FUNCTION_WORDS.has(word))
}

/** True for a folded word that is unlikely to be a name when its capital is due to its position. */
export function isOrdinary(word: string): boolean {
  return OPENERS.has(word) || (word.length >= 6 && ENDINGS.test(word))
}

/** The form of a folded word for comparing names: without a final s, demonyms as their country. */
export function nameForm(word: string): string {
  const country = COUNTRIES.get(word) ?? word
  return country.length > 3 && country.endsWith('s') ? country.slice(0, -1) : country
}

/** True for a text of a language that writes all nouns with capitals. */
export function capitalisesNouns(words: readonly string[]): boolean {
  const count = words.filter((word) => GERMAN.has(word)).length
  return count >= 2 && count * 12 >= words.length
}
