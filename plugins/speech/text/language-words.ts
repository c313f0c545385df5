/** Frequent short words by language, compiled for this detector; related languages share some. */
const WORDS: Readonly<Record<string, string>> = {
  en: 'the of and to in is you that it he was for on are with as his they at be this have from or had by but not what all were we when your can said there use an each which she do how their if will up other about out many then them these so some her would make like him into has look two more go see no way could my than first been who its now people did down only may over hello please thank today tomorrow good a i am me my here new after also just still very much where why let yes over',
  de: 'der die das und ist nicht ich du er sie es wir ihr ein eine einen einem einer zu den dem des mit von auf für im am an auch als bei nach wie aus aber oder noch nur über so sich wird werden sind war hat haben kann wenn dann mein dein sein unser guten tag heute morgen bitte danke mich dir ihnen alle mehr sehr schon',
  fr: 'le la les un une des et est pas je tu il elle nous vous ils elles de du au aux en dans sur pour par avec sans que qui quoi ce cette ces son sa ses mon ma mes plus ne se sont être avoir fait mais ou où donc bonjour merci demain',
  es: 'el la los las un una unos unas y es no yo tú él ella nosotros ellos de del al en con por para sin que quien como más pero o su sus mi mis este esta estos muy ser está son hay fue porque cuando hola gracias buenos días hoy mañana',
  it: 'il lo la i gli le un uno una e è non io tu lui lei noi voi loro di del della dei delle al alla nel nella con per da su che chi come più ma o suo sua mio mia questo questa sono ha ho molto anche essere perché quando ciao grazie buongiorno oggi domani',
  pt: 'o a os as um uma uns e é não eu tu ele ela nós vocês eles de do da dos das em no na nos nas com por para sem que quem como mais mas ou seu sua meu minha este esta isso são está foi muito também porque quando olá obrigado bom dia hoje amanhã você',
  nl: 'de het een en is niet ik jij hij zij wij jullie van in op met voor aan bij naar uit om te door over als maar of ook nog dan wat wie hoe dit dat deze die zijn was heeft hebben kan wordt worden geen mijn goede dag vandaag morgen bedankt',
  sv: 'och att det i en jag hon som han på den med var sig för så till är men ett om hade de av icke mig du henne då sin nu har inte hans honom skulle hennes där min man ej vid kunde något från ut när efter upp vi dem vara vad över än dig kan sina här ha mot alla hej tack idag',
  da: 'og i jeg det at en den til er som på de med han af for ikke der var mig sig men et har om vi min havde ham hun nu over da fra du ud sin dem os op man hans hvor eller hvad skal selv her alle vil blev kunne ind når være tak dag',
  no: 'og i jeg det at en et den til er som på de med han av ikke der så var meg seg men har om vi min mitt ha hadde hun nå over da ved fra du ut sin dem oss opp man kan hans hvor eller hva skal selv her alle vil bli ble kunne inn når være kom takk dag',
  fi: 'ja on ei se että hän oli mutta joka olen minä sinä me te he ole kun niin kuin vain tämä myös mitä sen jos hyvää päivää tänään huomenna kiitos ovat olla sitten nyt',
  pl: 'i w nie na się z do jest to że o jak ale po co tak za od jego jej przez był była być są czy dla już tylko ten ta te mnie mi my wy oni dzień dobry dziękuję dzisiaj jutro',
  cs: 'a je se v na to že s z do o k i jsem jako ale jsou by byl byla jeho její tak po co jak už za ve pro nebo když jen není dobrý den dnes zítra děkuji této která který',
  sk: 'a je sa v na to že s z do o k i som ako ale sú by bol bola jeho jej tak po čo už za vo pre alebo keď len nie dobrý deň dnes zajtra ďakujem ktorá ktorý',
  hu: 'a az és egy hogy nem is van ez azt meg csak el de már volt mint vagy még ki ha én te ő mi ti ők jó napot ma holnap köszönöm nagyon lesz kell',
  ro: 'și în de la cu un o pe nu este că din se mai ce au sunt pentru care ca a fost prin lui ei eu tu noi voi bună ziua azi mâine mulțumesc foarte sau dar',
  tr: 've bir bu da de için çok ne o ile mi ama gibi daha ben sen biz siz onlar var yok değil kadar sonra her şey olan iyi günler bugün yarın teşekkür ederim merhaba olarak',
  hr: 'i je u na se da su za od s o kao što ne ali to bio bila biti sam si smo ste ili iz do po koji koja dobar dan danas sutra hvala nije',
  id: 'yang dan di ini itu dengan untuk tidak dari dalam akan pada juga saya ke karena ada oleh kami mereka kita anda bisa adalah atau selamat pagi hari terima kasih besok sudah',
  vi: 'và của là có không được cho một các những này đó với trong khi người tôi bạn chúng rất cảm ơn xin chào hôm nay ngày mai đã sẽ',
  ca: 'el la els les un una i és no jo tu ell ella nosaltres de del dels al en amb per sense que qui com més però o seu seva aquest aquesta són està molt també perquè quan hola gràcies bon dia avui demà',
  la: 'et in est non ad ut cum sed qui quae quod si ex de ab sunt esse hoc enim atque neque autem',
}

/** Letters used by few languages. */
const MARKS: Readonly<Record<string, string>> = {
  de: 'ßäöü',
  fr: 'çœèêëàùûîï',
  es: 'ñ¿¡áíóúé',
  it: 'òìàùèé',
  pt: 'ãõçâêáéíóú',
  sv: 'åäö',
  da: 'æøå',
  no: 'æøå',
  fi: 'äö',
  pl: 'łąęśćńźżó',
  cs: 'ěřůčšžýáíé',
  sk: 'ľĺŕôäčšžťďň',
  hu: 'őűáéíóöúü',
  ro: 'ăâîșțşţ',
  tr: 'ğışçöü',
  hr: 'đčćšž',
  vi: 'ơưđạảấầẩậắằẵặẹẻẽếềểệỉịọỏốồổỗộớờởợụủứừửựỳỹ',
  ca: 'çàèéíïòóúü',
}

/** Languages by frequent word. */
export const STOP_WORDS = inverted(Object.entries(WORDS).map(([language, words]) => [language, words.split(' ')]))
/** Languages by rare letter. */
export const LETTERS = inverted(Object.entries(MARKS).map(([language, letters]) => [language, [...letters]]))

/** Languages by word or letter. */
function inverted(entries: readonly (readonly [string, readonly string[]])[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const [language, items] of entries) for (const item of new Set(items)) found.set(item, [...(found.get(item) ?? []), language])
  return found
}
