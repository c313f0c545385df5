/** Words separated by bars. */
const words = (...lines: string[]): readonly string[] => lines.flatMap((line) => line.split('|'))

/** Words of consent banners, one of which must occur, in lower case. */
export const CONSENT_WORDS = words(
  'cookie|consent|gdpr|dsgvo|rgpd|datenschutz|privatsphäre|çerez|evästei|evästee|informasjonskapsler|süti|ciasteczk',
  'файлы куки|файлов куки|クッキー|쿠키|كوكيز|ملفات تعريف الارتباط',
)

/** Labels of buttons that decline, in lower case. */
export const REJECT_LABELS = words(
  'reject|reject all|reject all cookies|reject cookies|reject optional cookies|reject additional cookies',
  'reject non-essential|reject non-essential cookies|decline|decline all|decline cookies|decline all cookies|deny|deny all',
  "refuse|refuse all|disagree|i do not agree|i disagree|do not accept|don't accept|do not consent|no, thanks|no thanks",
  'only necessary|only necessary cookies|necessary only|necessary cookies only|accept only necessary|accept necessary',
  'accept only essential cookies|accept only essential|only essential|essential only|essential cookies only',
  'only essential cookies|use necessary cookies only|use essential cookies only|allow necessary cookies only',
  'strictly necessary only|continue without accepting|continue without agreeing|ablehnen|alle ablehnen|alles ablehnen',
  'alle cookies ablehnen|cookies ablehnen|optionale cookies ablehnen|nur notwendige|nur notwendige cookies',
  'nur notwendige akzeptieren|nur notwendige cookies akzeptieren|nur erforderliche|nur erforderliche cookies',
  'nur erforderliche akzeptieren|nur essenzielle cookies|nur essenzielle cookies akzeptieren|nur technisch notwendige',
  'verweigern|nicht zustimmen|weiter ohne zustimmung|ohne einwilligung fortfahren|ohne zustimmung fortfahren|nein danke',
  'nein, danke|refuser|tout refuser|refuser tout|je refuse|refuser les cookies|refuser tous les cookies',
  'continuer sans accepter|interdire tous les cookies|rechazar|rechazar todo|rechazar todas|rechazar cookies',
  'rechazar todas las cookies|denegar|solo necesarias|continuar sin aceptar|rifiuta|rifiuta tutto|rifiuta tutti|rifiuto',
  'continua senza accettare|solo necessari|nega|weigeren|alles weigeren|alle cookies weigeren|afwijzen|alles afwijzen',
  'alleen noodzakelijk|alleen noodzakelijke cookies|niet akkoord|rejeitar|rejeitar tudo|rejeitar todos|recusar|recusar tudo',
  'recusar todos|apenas necessários|odrzuć|odrzuć wszystkie|odrzuć wszystko|nie zgadzam się|tylko niezbędne|avvisa',
  'avvisa alla|neka|neka alla|endast nödvändiga|afvis|afvis alle|kun nødvendige|avvis|avvis alle|hylkää|hylkää kaikki',
  'vain välttämättömät|odmítnout|odmítnout vše|odmietnuť|elutasítás|összes elutasítása|respinge|respinge tot|reddet',
  'tümünü reddet|отклонить|отклонить все|відхилити|відхилити всі|απόρριψη|απόρριψη όλων|拒否|すべて拒否|同意しない|拒绝|全部拒绝|거부|모두 거부|رفض',
  'رفض الكل',
)

/** Labels of buttons that accept: a banner with one of these and no button to decline is hidden; nothing is accepted. */
export const ACCEPT_LABELS = words(
  'accept|accept all|accept all cookies|accept cookies|accept & close|accept and close|accept and continue|i accept|agree',
  'agree and close|agree & close|i agree|allow|allow all|allow all cookies|allow cookies|got it|got it!|ok|okay',
  'i understand|understood|continue|yes, i agree|consent|akzeptieren|alle akzeptieren|alles akzeptieren',
  'alle cookies akzeptieren|cookies akzeptieren|zustimmen|allen zustimmen|alle zulassen|einverstanden|verstanden',
  "ich stimme zu|zustimmen und weiter|accepter|tout accepter|accepter tout|j'accepte|accepter et fermer",
  "accepter et continuer|autoriser|d'accord|aceptar|aceptar todo|aceptar todas|aceptar cookies|acepto|de acuerdo|entendido",
  'accetta|accetta tutto|accetta tutti|accetto|acconsento|ho capito|accepteren|alles accepteren|alle cookies accepteren',
  'akkoord|akkoord en doorgaan|aceitar|aceitar tudo|aceitar todos|aceito|concordo|akceptuj|akceptuję|akceptuj wszystkie',
  'zgadzam się|acceptera|acceptera alla|godkänn|godkänn alla|accepter alle|tillad alle|godta|godta alle|hyväksy',
  'hyväksy kaikki|přijmout|přijmout vše|prijať|elfogadom|összes elfogadása|acceptă|accept tot|kabul et|tümünü kabul et',
  'принять|принять все|прийняти|прийняти всі|αποδοχή|αποδοχή όλων|同意|同意する|すべて同意|すべて許可|接受|全部接受|同意并继续|동의|모두 동의|수락|قبول',
  'قبول الكل|موافق',
)
