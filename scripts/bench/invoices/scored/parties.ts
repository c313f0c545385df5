/** Invented sellers, buyers and goods, by language (and `us`, `ch`, `br`, `jp` where a country prints otherwise). */
export interface Party {
  readonly name: string
  /** Lines of the postal address. */
  readonly address: readonly string[]
  readonly tax: string
}

const SELLERS: Readonly<Record<string, readonly string[]>> = {
  en: [
    'Halden & Marsh Ltd; 14 Foundry Lane; Leeds LS1 4AP; GB 482 1190 03',
    'Brightwater Supplies Ltd; Unit 7, Quay Road; Bristol BS1 6XN; GB 771 0542 88',
    'Tamsin Hale Design; 3 Orchard Row; York YO1 7HU; GB 310 9927 14',
  ],
  us: [
    'Prairie Tool Works Inc.; 2200 Elm Street, Suite 40; Omaha, NE 68102; 47-1180923',
    'Harbor Light Studio LLC; 88 Bay Avenue; Portland, OR 97204; 83-2209174',
  ],
  de: [
    'Werkstatt Nordkai GmbH; Hafenstraße 12; 24103 Kiel; DE284410976',
    'Papier & Satz KG; Am Alten Markt 5; 50667 Köln; DE119384756',
    'Gärtnerei Lindental; Talweg 31a; 01069 Dresden; DE306612845',
  ],
  ch: ['Alpenblick Technik AG; Seestrasse 104; 8002 Zürich; CHE-114.208.331 MWST'],
  fr: [
    'Atelier Roche Claire SARL; 27 rue des Tanneurs; 69001 Lyon; FR 32 512 884 201',
    "L'Imprimerie du Quai SAS; 5 quai de la Loire; 44000 Nantes; FR 71 803 119 642",
    'Menuiserie Valbois; 112 avenue Jean Moulin; 31000 Toulouse; FR 08 447 216 930',
  ],
  es: [
    'Talleres Montalvo S.L.; Calle de la Ribera 18; 46002 Valencia; B96418820',
    'Distribuciones Sierra Norte S.A.; Avenida del Puerto 44, 2.º B; 28014 Madrid; A28770415',
    'Copistería Aragón; Plaza Mayor 3; 50001 Zaragoza; B50193367',
  ],
  it: [
    'Officine Bellomare S.r.l.; Via dei Mille 9; 16121 Genova GE; IT 02418830997',
    'Ceramiche Altavilla S.p.A.; Viale Europa 77; 41049 Sassuolo MO; IT 01955420361',
    'Libreria del Borgo; Piazza San Marco 2; 50121 Firenze FI; IT 06610294481',
  ],
  nl: [
    'Van der Meulen Installaties B.V.; Havenkade 56; 3011 TA Rotterdam; NL 854120937 B01',
    'Drukkerij De Linde; Kerkstraat 8; 3511 KX Utrecht; NL 001984422 B56',
  ],
  pt: [
    'Oficina Beira-Rio Lda; Rua das Flores 210; 4050-262 Porto; PT 508 114 776',
    'Casa do Papel, Unipessoal Lda; Avenida da Liberdade 15; 1250-096 Lisboa; PT 513 907 228',
  ],
  br: ['Metalúrgica Campo Belo Ltda; Rua Augusta 1420; 01304-001 São Paulo - SP; CNPJ 12.408.993/0001-57'],
  pl: [
    'Zakład Stolarski Brzoza sp. z o.o.; ul. Długa 14; 31-147 Kraków; PL 6762214908',
    'Hurtownia Bałtyk S.A.; al. Zwycięstwa 96; 81-451 Gdynia; PL 5861039927',
  ],
  jp: ['Kitano Export Co., Ltd.; 3-8-2 Sannomiya; Kobe 650-0021; T8140001027731'],
}

const BUYERS: Readonly<Record<string, readonly string[]>> = {
  en: [
    'Oakfield Primary School; Station Road; Reading RG1 1AA',
    'First Last; 22 Mill Close; Cambridge CB4 2QY',
    'Penhale Hotels plc; 1 Harbour View; Truro TR1 2LS',
  ],
  us: ['Cedar County Library; 410 Main Street; Boise, ID 83702', 'Northgate Dental Group; 9 Pine Plaza; Austin, TX 78701'],
  de: [
    'Stadtwerke Hohenfeld AG; Industriering 3; 38100 Braunschweig',
    'First Last; Gartenweg 2; 70173 Stuttgart',
    'Hotel Zum Löwen OHG; Marktplatz 1; 97070 Würzburg',
  ],
  ch: ['Bergbahn Hochtal AG; Bahnhofplatz 2; 7270 Davos'],
  fr: [
    'Hôtel Belle Étoile; 3 place du Marché; 13001 Marseille',
    'Association Les Amis du Livre; 18 rue Voltaire; 35000 Rennes',
    'First Last; 41 rue de la Paix; 67000 Strasbourg',
  ],
  es: [
    'Hostal La Fuente S.L.; Calle Real 7; 18009 Granada',
    'Ayuntamiento de Villarejo; Plaza de la Constitución 1; 37001 Salamanca',
    'First Last; Calle Luna 12; 41004 Sevilla',
  ],
  it: [
    'Albergo Tre Pini S.n.c.; Via Roma 40; 38122 Trento TN',
    'Comune di Castelverde; Piazza Municipio 1; 26022 Castelverde CR',
    'First Last; Via Po 3; 10123 Torino TO',
  ],
  nl: ['Basisschool De Regenboog; Schoolplein 1; 6811 AB Arnhem', 'First Last; Lindelaan 20; 2011 HK Haarlem'],
  pt: ['Pensão Mar Azul Lda; Rua Direita 45; 8000-164 Faro', 'First Last; Travessa do Carmo 9; 3000-104 Coimbra'],
  br: ['Escola Jardim das Águas; Avenida Brasil 800; 30140-001 Belo Horizonte - MG'],
  pl: ['Szkoła Podstawowa nr 4; ul. Szkolna 2; 50-001 Wrocław', 'First Last; ul. Polna 8; 00-625 Warszawa'],
  jp: ['Meridian Imports Ltd; 60 Dock Street; Sydney NSW 2000'],
}

/** Description, a second line or nothing, price in smallest units without tax, whether sold in fractions. */
const GOODS: Readonly<Record<string, string>> = {
  en: `Oak shelf board 120 cm||4250|0;Assembly on site|two fitters, travel included|6500|1;Wall bracket, black steel||895|0;Design consultation|first draft and one revision|8000|1
    ;Printed brochure A5|32 pages, 170 g matt|312|0;Cable drum 50 m, 3-core||3999|0;Annual maintenance|01/2025 - 12/2025|24000|0;Copper elbow 15 mm||129|0;Packing and carriage||1250|0
    ;LED panel 60 x 60|4000 K, dimmable|5480|0;Paint, white, 10 l||4415|0`,
  de: `Regalboden Eiche 120 cm||4290|0;Montage vor Ort|zwei Monteure inkl. Anfahrt|6840|1;Kopierpapier A4, 80 g||429|0;Beratung Gestaltung|Entwurf und eine Korrektur|9500|1
    ;Wartungsvertrag|01.01.2025 bis 31.12.2025|36000|0;Lavendel im Topf, 2 l||690|0;Kupferbogen 15 mm||149|0;Versand und Verpackung||1190|0;LED-Leuchte 60 x 60|neutralweiß, dimmbar|5890|0
    ;Wandfarbe weiß, 10 l||4480|0;Schraubensatz M8||1275|0`,
  fr: `Étagère en chêne 120 cm||4310|0;Pose sur site|deux ouvriers, déplacement compris|6200|1;Papier A4 80 g, ramette||485|0;Conseil en design|première maquette et une révision|8800|1
    ;Contrat d'entretien annuel|du 01/01/2025 au 31/12/2025|31000|0;Câble 3 brins, 50 m||4120|0;Coude cuivre 15 mm||155|0;Frais de port||1490|0;Dalle LED 60 x 60|blanc neutre|5640|0;Peinture blanche 10 l||4650|0`,
  es: `Balda de roble 120 cm||4190|0;Montaje en obra|dos operarios, desplazamiento incluido|5400|1;Papel A4 80 g, paquete||415|0;Asesoría de diseño|boceto y una revisión|7200|1
    ;Mantenimiento anual|de enero a diciembre de 2025|28000|0;Cable 3 hilos, 50 m||3875|0;Codo de cobre 15 mm||135|0;Portes||1100|0;Panel LED 60 x 60|luz neutra, regulable|5210|0;Pintura blanca 10 l||4390|0`,
  it: `Mensola in rovere 120 cm||4350|0;Montaggio sul posto|due operai, trasferta inclusa|5900|1;Carta A4 80 g, risma||455|0;Consulenza grafica|bozza e una revisione|7800|1
    ;Manutenzione annuale|da gennaio a dicembre 2025|29500|0;Cavo tripolare 50 m||3990|0;Curva in rame 15 mm||142|0;Spese di trasporto||1350|0;Pannello LED 60 x 60|luce neutra|5330|0;Pittura bianca 10 l||4520|0`,
  nl: `Eiken plank 120 cm||4275|0;Montage op locatie|twee monteurs, reiskosten inbegrepen|6100|1;Kopieerpapier A4 80 g||439|0;Ontwerpadvies|eerste schets en een herziening|8600|1
    ;Jaarlijks onderhoud|januari tot en met december 2025|27500|0;Kabel 3-aderig, 50 m||3949|0;Koperen bocht 15 mm||139|0;Verzendkosten||995|0;Ledpaneel 60 x 60||5375|0;Muurverf wit 10 l||4425|0`,
  pt: `Prateleira de carvalho 120 cm||4180|0;Montagem no local|dois técnicos, deslocação incluída|4800|1;Papel A4 80 g, resma||425|0;Consultoria de design|esboço e uma revisão|6900|1
    ;Manutenção anual|de janeiro a dezembro de 2025|26500|0;Cabo de 3 fios, 50 m||3760|0;Curva de cobre 15 mm||132|0;Portes de envio||990|0;Painel LED 60 x 60|luz neutra|5090|0;Tinta branca 10 l||4290|0`,
  pl: `Półka dębowa 120 cm||17900|0;Montaż na miejscu|dwóch monterów, dojazd w cenie|24000|1;Papier A4 80 g, ryza||1990|0;Projekt graficzny|szkic i jedna poprawka|32000|1
    ;Przegląd roczny|od stycznia do grudnia 2025|118000|0;Kabel 3-żyłowy 50 m||16450|0;Kolanko miedziane 15 mm||590|0;Koszt wysyłki||2500|0;Panel LED 60 x 60|barwa neutralna|22800|0;Farba biała 10 l||18900|0`,
  jp: `Ceramic bowl, blue glaze||1800|0;Chef's knife 210 mm||12400|0;Tea whisk, bamboo||2350|0;Cotton cloth, 5 m||4100|0;Export packing|wooden case|6000|0;Sea freight to Sydney||38500|0`,
}

interface Good {
  readonly first: string
  readonly second: string
  readonly price: number
  readonly fractional: boolean
}

export const sellers = (country: string): readonly Party[] => parties(SELLERS, country)
export const buyers = (country: string): readonly Party[] => parties(BUYERS, country)

export function goods(country: string): readonly Good[] {
  const list = GOODS[country] ?? GOODS[{ us: 'en', ch: 'de', br: 'pt' }[country] ?? ''] ?? ''
  return list.split(';').map((good) => {
    const [first = '', second = '', price = '', fractional = ''] = good.trim().split('|')
    return { first, second, price: Number(price), fractional: fractional === '1' }
  })
}

function parties(all: Readonly<Record<string, readonly string[]>>, country: string): readonly Party[] {
  const list = (all[country] ?? []).map((entry) => entry.split('; '))
  if (list.length === 0) throw new Error(`Nobody in ${country}.`)
  return list.map(([name = '', street = '', city = '', tax = '']) => ({ name, address: [street, city], tax }))
}
