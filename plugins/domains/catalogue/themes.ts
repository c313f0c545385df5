/**
 * Themes of open extensions, as words separated by blanks. Compiled for this project from the names. An extension is
 * shown with its first theme; suggestions use all. An extension of IANA's list without a theme that is neither a
 * country's nor internationalised counts as a brand's.
 */
export const THEMES: Readonly<Record<string, string>> = {
  tech: `
    io ai app dev tech technology cloud codes computer data digital domains download email engineer engineering host hosting bot
    chat blog foo nexus network software solar systems support tools security secure channel phd prof zip mov meme new webcam
    boo dad esq rsvp day icu`,
  shop: `
    shop store shopping sale deals discount coupon coupons bargains cheap market markets boutique gift gifts gives buy promo
    forsale auction blackfriday christmas toys kaufen tienda gratis free qpon`,
  finance: `
    finance financial money bank loan loans credit creditcard mortgage insurance insure tax cash investments fund trading broker
    forex markets accountant accountants cpa claims fan pay creditunion lease rich estate gold reit trade trust versicherung`,
  food: `
    food cafe coffee pizza restaurant bar pub beer wine vin vodka kitchen cooking recipes catering menu grocery organic farm
    diet fish rest kosher soy`,
  travel: `
    travel tours holiday vacations viajes voyage flights cruise cruises hotels villas camp limo taxi reise reisen ski surf
    caravan guide cab`,
  media: `
    media news press tv fm radio video film movie music audio band show theater theatre broadway tickets productions studio
    photo photos photography pics pictures camera stream actor hiphop live spot watch fans tube dance`,
  design: `
    design art graphics gallery ink tattoo style fashion luxury makeup archi museum studio`,
  fashion: `
    fashion clothing shoes boutique jewelry diamonds hair salon beauty skin watches luxe luxury moda spa`,
  health: `
    health healthcare care clinic dental dentist doctor hospital med pharmacy physio surgery fitness fit yoga rehab vet bio diet
    dds`,
  education: `
    academy college courses degree education institute school schule study training university mba science scholarships wiki how
    kids`,
  sport: `
    sport football soccer futbol golf tennis hockey rugby cricket baseball basketball run bike racing fishing horse rodeo surf
    team fan coach`,
  games: `
    game games play poker casino bet gg quest monster ninja bingo fun zone lotto ggee juegos`,
  community: `
    community social foundation charity ngo ong gives church faith bible family lgbt gay kim love dating singles date wedding
    kids baby democrat republican vote voting voto party gop politie green earth eco memorial fan rip`,
  professional: `
    attorney lawyer legal law abogado builders construction plumbing cleaning repair contractors engineer expert guru consulting
    services photography care tax realtor surgery`,
  home: `
    house homes properties property apartments condos realestate realty immo immobilien rent rentals lease land haus villas
    garden furniture kitchen glass lighting flowers florist casa maison room diy`,
  vehicles: `
    auto autos car cars motorcycles boats yachts parts tires taxi limo bike racing moto`,
  industry: `
    energy solar build builders construction engineering industries equipment tools delivery express airforce supply storage
    navy army protection archi`,
  business: `
    biz company inc llc ltd gmbh sarl srl enterprises group holdings industries international partners solutions services agency
    associates business ventures management marketing consulting contractors works work career careers jobs team limited ltda
    office center directory reviews review report exchange equipment supplies supply coop capital productions global ceo whoswho`,
  lifestyle: `
    life living lifestyle luxury blog vip guru rocks ninja pet dog horse tips style guide gifts hiphop black blue pink red kiwi
    fun cool sexy joy bond sucks exposed fail gripe limited archi`,
  place: `
    africa amsterdam arab asia barcelona bayern bcn berlin boston brussels capetown cat cologne koeln corsica cymru wales bzh
    dubai durban eus frl gal gent hamburg helsinki irish ist istanbul joburg kiwi krd kyoto lat latino london madrid melbourne
    miami moscow nagoya nrw nyc okinawa osaka paris quebec rio ruhr ryukyu saarland scot stockholm swiss sydney taipei tatar
    tirol tokyo vegas vlaanderen wien yokohama zuerich town city country desi alsace abudhabi`,
  adult: `
    adult porn sex sexy sucks xxx cam`,
  general: `
    com net org info xyz online site website page top club one name mobi pro link live now world global international zone icu
    bond buzz cool best vip win bid click cyou sbs cfd quest lol wtf fyi ooo uno day today life space plus center wow you moe
    xin wang rip bar ink okinawa vision contact`,
}

/** Open only to members of a group, authorities or licence holders. */
export const RESTRICTED = `
  aero bank coop edu gov int mil museum post jobs tel pharmacy creditunion insurance cpa law lawyer attorney abogado ngo ong realtor
  realestate sport broadway dentist music med hospital politie eurovision gmbh catholic osaka icbc`

/** Second-level zones of a country's extension in which names are sold. */
export const SECOND_LEVEL = `
  co.uk org.uk me.uk com.au net.au org.au co.nz net.nz org.nz co.za com.br com.mx com.ar com.co com.tr com.cn com.tw com.hk com.sg
  com.my com.ph com.vn co.in co.id co.il co.jp co.kr co.th co.ke com.ng com.pk com.ua com.pl com.es com.pt com.gr`
