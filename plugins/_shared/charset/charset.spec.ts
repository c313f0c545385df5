import { expect } from 'chai'
import { decode } from './charset.js'

/** Character set, text, and its bytes in base64, as encoded by Python's codecs. */
const TEXTS: readonly (readonly [set: string, text: string, bytes: string])[] = [
  [
    'windows-1251',
    'Паром ходит через пролив с тысяча девятьсот одиннадцатого года.',
    'z+Dw7uwg9e7k6PIg9+Xw5ecg7/Du6+jiIPEg8vvx//fgIOTl4v/y/PHu8iDu5Ojt7eDk9uDy7uPuIOPu5OAu',
  ],
  ['windows-1252', 'Déjà vu – café', 'ROlq4CB2dSCWIGNhZuk='],
  [
    'koi8-r',
    'Паром ходит через пролив с тысяча девятьсот одиннадцатого года.',
    '8MHSz80gyM/EydQg3sXSxdog0NLPzMnXINMg1NnT0d7BIMTF19HU2NPP1CDPxMnOzsHEw8HUz8fPIMfPxMEu',
  ],
  [
    'iso-8859-5',
    'Зимой дорога занимает сорок минут, летом немного меньше.',
    't9jc3tkg1N7g3tPQINfQ3djc0NXiIOHe4N7aINzY3ePiLCDb1eLe3CDd1dzd3tPeINzV3ezo1S4=',
  ],
  [
    'ibm866',
    'Велосипеды перевозят бесплатно, собакам нужен билет.',
    'gqWrruGor6Wk6yCvpeCloq6n7+IgoaXhr6ug4q2uLCDhrqGgqqCsIK3jpqWtIKGoq6XiLg==',
  ],
  [
    'windows-1253',
    'Το πλοίο περνάει το στενό κάθε μέρα και το εισιτήριο είναι φθηνό.',
    '1O8g8Ovv3+8g8OXx7dzl6SD07yDz9OXt/CDq3OjlIOzd8eEg6uHpIPTvIOXp8+n03vHp7yDl3+3h6SD26Oft/C4=',
  ],
  [
    'windows-1255',
    'המעבורת יוצאת מהנמל בכל בוקר ומגיעה אל האי בצהריים.',
    '5O7y4eX4+iDp5fbg+iDu5PDu7CDh6+wg4eX3+CDl7uLp8uQg4Owg5ODpIOH25Pjp6e0u',
  ],
  [
    'windows-1256',
    'تغادر العبارة الميناء كل صباح وتصل إلى الجزيرة عند الظهر.',
    'ytvHz9Egx+HayMfRySDH4ePt5MfBIN/hINXIx80g5srV4SDF4ewgx+HM0u3RySDa5M8gx+HZ5dEu',
  ],
  ['windows-874', 'เรือข้ามฟากออกจากท่าเรือทุกเช้าและถึงเกาะตอนเที่ยง', '4MPXzaLp0sG/0qHNzaGo0qG36NLgw9fNt9ih4Krp0uHF0LbWp+Ch0tC1zbngt9Xowqc='],
  [
    'shift_jis',
    'この港は明治時代に作られました。毎年多くの人が訪れ、船で島へ渡ります。',
    'grGCzI1ggs2Wvo6hjp6R44LJjeyC54LqgtyCtYK9gUKWiJROkb2CrYLMkGyCqpZLguqBQZFEgsWTh4LWk26C6ILcgreBQg==',
  ],
  [
    'euc-jp',
    'この港は明治時代に作られました。毎年多くの人が訪れ、船で島へ渡ります。',
    'pLOkzrnBpM/MwLyju/7C5aTLuu6k6aTspN6kt6S/oaPL6Mevwr+kr6TOv82krMuspOyhosGlpMfF56TYxc+k6qTepLmhow==',
  ],
  [
    'iso-2022-jp',
    '島には小さな学校があり、子どもたちは船で通っています。',
    'GyRCRWckSyRPPi4kNSRKM1g5OyQsJCIkaiEiO1IkSSRiJD8kQSRPQSUkR0RMJEMkRiQkJF4kOSEjGyhC',
  ],
  [
    'gb18030',
    '渡船每天早上从港口出发,中午到达岛上。冬天风大,船只一天开三次。',
    'tsm0rMO/zOzU58nPtNO427/as/a3oizW0M7ntb2077W6yc+ho7aszOy357TzLLSs1rvSu8zsv6rI/bTOoaM=',
  ],
  [
    'big5',
    '渡船每天早上從港口出發,中午到達島上。冬天風大,船隻一天開三次。',
    'tOey7qhDpNGmraRXsXG05KRmpVi1byykpKTIqOy5Rq5xpFehQ6VWpNGtt6RqLLLusKakQKTRtn2kVKa4oUM=',
  ],
  [
    'euc-kr',
    '여객선은 매일 아침 항구를 떠나 정오에 섬에 도착합니다.',
    'v6mwtLyxwLoguMXAzyC+xsSnIMfXsbi4piC2sLOqIMGkv8C/oSC8tr+hILW1wvjH1bTPtNku',
  ],
  [
    'windows-1252 in French',
    'Le bac traverse le détroit « chaque été », où l’œil voit très loin, ça plaît à Noël.',
    'TGUgYmFjIHRyYXZlcnNlIGxlIGTpdHJvaXQgqyBjaGFxdWUg6XTpILssIG/5IGySnGlsIHZvaXQgdHLocyBsb2luLCDnYSBwbGHudCDgIE5v62wu',
  ],
  [
    'windows-1252 in German',
    'Die Fähre fährt täglich über den Sund, große Hunde brauchen einen Fahrschein für fünf Euro.',
    'RGllIEbkaHJlIGbkaHJ0IHTkZ2xpY2gg/GJlciBkZW4gU3VuZCwgZ3Jv32UgSHVuZGUgYnJhdWNoZW4gZWluZW4gRmFocnNjaGVpbiBm/HIgZvxuZiBFdXJvLg==',
  ],
  [
    'windows-1252 in Spanish',
    '¿Cuándo sale el transbordador? Mañana por la tarde, según el señor Ibáñez.',
    'v0N14W5kbyBzYWxlIGVsIHRyYW5zYm9yZGFkb3I/IE1h8WFuYSBwb3IgbGEgdGFyZGUsIHNlZ/puIGVsIHNl8W9yIEli4fFlei4=',
  ],
  [
    'windows-1252 in Finnish',
    'Lautta ylittää salmen päivittäin, eikä määrä yllätä ketään.',
    'TGF1dHRhIHlsaXR05OQgc2FsbWVuIHDkaXZpdHTkaW4sIGVpa+QgbeTkcuQgeWxs5HTkIGtldOTkbi4=',
  ],
  [
    'windows-1250 in Polish',
    'Prom pływa przez cieśninę każdego dnia, a bilet można kupić także w święta.',
    'UHJvbSBws3l3YSBwcnpleiBjaWWcbmlu6iBrYb9kZWdvIGRuaWEsIGEgYmlsZXQgbW+/bmEga3VwaeYgdGFrv2UgdyCcd2nqdGEu',
  ],
  [
    'windows-1250 in Czech',
    'Přívoz jezdí přes úžinu každý den a lístek stojí čtyři eura, děti jedou zdarma.',
    'UPjtdm96IGplemTtIHD4ZXMg+p5pbnUga2GeZP0gZGVuIGEgbO1zdGVrIHN0b2rtIOh0efhpIGV1cmEsIGTsdGkgamVkb3UgemRhcm1hLg==',
  ],
  [
    'windows-1250 in Hungarian',
    'A komp minden reggel átkel a szoroson, és délután öt körül érkezik, hűvös időben később.',
    'QSBrb21wIG1pbmRlbiByZWdnZWwg4XRrZWwgYSBzem9yb3Nvbiwg6XMgZOlsdXThbiD2dCBr9nL8bCDpcmtlemlrLCBo+3b2cyBpZPViZW4ga+lz9WJiLg==',
  ],
  [
    'windows-1254',
    'Feribot her gün boğazı geçiyor, çocuklar için ücretsiz ve kışın daha yavaş.',
    'RmVyaWJvdCBoZXIgZ/xuIGJv8GF6/SBnZedpeW9yLCDnb2N1a2xhciBp52luIPxjcmV0c2l6IHZlIGv9/v1uIGRhaGEgeWF2Yf4u',
  ],
]
const page = (text: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from('<html><head><title>x</title></head><body><p class="a b">'), text, Buffer.from('</p></body></html>')])

describe('character sets that nothing declares', () => {
  for (const [set, text, bytes] of TEXTS) {
    it(`F17 ${set} is read as what it is`, () => {
      const raw = Buffer.from(bytes, 'base64')
      expect(decode(raw, '')).to.equal(text)
      expect(decode(page(raw), '')).to.include(`>${text}<`)
    })
  }

  it('F17 a declared set and UTF-8 come before what is likely', () => {
    const raw = Buffer.from(TEXTS[0]?.[2] ?? '', 'base64')
    expect(decode(raw, 'windows-1252')).to.match(/^Ïàðîì/)
    expect(decode(Buffer.from('Паром ходит'), '')).to.equal('Паром ходит')
  })

  it('F17 single letters beyond ASCII and bytes without a meaning are windows-1252', () => {
    expect(decode(Uint8Array.of(0x63, 0x61, 0x66, 0xe9), '')).to.equal('café')
    expect(decode(Uint8Array.of(0x93, 0x61, 0x94), '')).to.equal('“a”')
    expect(decode(Uint8Array.of(0x35, 0x20, 0x80), '')).to.equal('5 €')
  })

  it('F17 a text that is cut within a character is read', () => {
    const raw = Buffer.from(TEXTS.find(([set]) => set === 'shift_jis')?.[2] ?? '', 'base64')
    expect(decode(raw.subarray(0, 41), '')).to.match(/^この港は明治時代に作られました。/)
  })
})
