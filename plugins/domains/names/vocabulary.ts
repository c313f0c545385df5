/** Words of each theme of the catalogue: used to recognise a business and to build names. Compiled for this project. */
export const VOCABULARY: Readonly<Record<string, string>> = {
  tech: 'software app apps code coding developer developers api data cloud server servers hosting computer digital internet platform automation ai model models robot cyber network system systems saas startup open source program tool tools engineering machine learning pixel logic stack byte signal vector kernel',
  finance:
    'finance financial money bank banking loan loans invest investing investment tax taxes accounting bookkeeping insurance payments payment budget crypto fund wealth mortgage invoice ledger penny coin mint vault tally',
  food: 'food bakery bread sourdough cake cakes coffee cafe tea restaurant kitchen cook cooking meal meals recipe recipes wine beer brewery pizza vegan organic catering chef chocolate honey butter flour crust oven loaf spice olive berry harvest taste plate',
  travel:
    'travel trip trips tour tours hotel hotels holiday holidays vacation flight flights cruise guide tourism hostel booking adventure hiking camping passport voyage compass harbor trail nomad wander',
  media:
    'news video videos film films movie movies music podcast podcasts radio photo photos photography streaming journalism magazine channel broadcast studio concert record stage reel echo frame lens',
  design:
    'design designer art artist graphic graphics illustration brand branding creative gallery craft crafts handmade drawing paint print ceramics canvas palette sketch studio',
  fashion:
    'fashion clothing clothes shoes jewelry jewellery style dress boutique beauty cosmetics hair makeup skincare wear textile leather thread velvet stitch loom silk',
  health:
    'health healthcare medical doctor clinic therapy therapist dental dentist nurse hospital wellness fitness gym nutrition yoga pharmacy patient patients mental care pulse vital heal balance',
  education:
    'education school learning learn course courses teach teacher tutoring training student students university academy kids lesson lessons language scholar bright mentor chalk',
  sport:
    'sport sports football soccer tennis golf running cycling team coach athlete athletes gym training climbing swimming league match sprint goal',
  games: 'game games gaming player players esports puzzle arcade casino quest level pixel dice',
  community:
    'community charity nonprofit volunteer volunteers church neighbourhood neighborhood social club members donation events wedding family local together circle commons',
  professional:
    'law lawyer legal attorney consulting consultant agency plumber plumbing electrician repair cleaning accountant notary contractor freelance advice counsel',
  home: 'home house houses property apartment apartments rent rental furniture interior garden gardening real estate housing decor kitchen nest hearth porch timber',
  vehicles: 'car cars auto vehicle vehicles bike bikes bicycle motorcycle boat taxi driving garage electric scooter wheel motor gear road',
  industry:
    'energy solar wind power plant plants factory manufacturing construction building engineering logistics shipping warehouse steel machines grid volt turbine beam forge',
  business:
    'business company marketing sales management enterprise office productivity crm hr recruiting analytics strategy startup growth team teams partner desk pilot',
  shop: 'shop store sell sells selling retail buy goods products ecommerce marketplace gift gifts order orders delivery subscription basket merchant parcel outlet bazaar corner shelf',
  lifestyle: 'lifestyle pet pets dog dogs cat cats hobby garden nature outdoor life living mindfulness cozy paw meadow',
}

/** Prefixes and suffixes of a word. */
export const PREFIXES = 'get try go my hey true ever up neo nova pure open bright swift clear prime one all loop'.split(' ')
export const SUFFIXES = 'ly ify hub lab labs base flow nest wise kit craft loop mint spark works way grove deck scout ful era io'.split(' ')
/** Endings that turn a word into a name. */
export const ENDINGS = 'a o io ia ora eo ella ity ara ium ix'.split(' ')

/** Words that do not describe a business. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about above after all also an and any are as at be because been best but by can could do does every everyone for from get give has have he ' +
    'help helps her his how i if in into is it its just like make makes making many more most my need needs new no not of offer offers on one only ' +
    'or other our out over own people per provide provides service services she so some such than that the their them then there these they this ' +
    'those through to under up us use using very via want was we well were what when where which while who why will with without would you your ' +
    'company business based small great good better customers customer world online website web site around between easy simple sell sells selling buy order orders open source subscription startup ' +
    'der die das und fur mit von im in ein eine einer kleine kleinen auf bei aus oder le la les des du de pour et avec une un dans sur el los las y con para por del una il lo gli per che'
  ).split(' '),
)

/** The words of a theme. */
export function wordsOfTheme(theme: string): readonly string[] {
  return (VOCABULARY[theme] ?? '').split(' ').filter((word) => word !== '')
}
