import { expect } from 'chai'
import { leastCpuOf } from '../../../test/support/time.js'
import { languageOf } from './language.js'

const TEXTS: readonly (readonly [string, string])[] = [
  ['en', 'Good day. The meeting starts at nine and will be over before lunch.'],
  ['en', 'OK'],
  ['en', 'Hello'],
  ['de', 'Guten Tag. Die Sitzung beginnt um neun Uhr und ist vor dem Mittagessen zu Ende.'],
  ['de', 'Ich weiß nicht, ob wir heute noch kommen.'],
  ['fr', 'Bonjour. La réunion commence à neuf heures et sera terminée avant le déjeuner.'],
  ['es', 'Buenos días. La reunión empieza a las nueve y termina antes de la comida.'],
  ['it', 'Buongiorno. La riunione comincia alle nove e finisce prima del pranzo.'],
  ['pt', 'Bom dia. A reunião começa às nove e não termina antes do almoço.'],
  ['nl', 'Goedendag. De vergadering begint om negen uur en is voor de lunch voorbij.'],
  ['sv', 'God dag. Mötet börjar klockan nio och är slut före lunch.'],
  ['da', 'Goddag. Mødet begynder klokken ni og er slut inden frokost.'],
  ['fi', 'Hyvää päivää. Kokous alkaa kello yhdeksän ja se on ohi ennen lounasta.'],
  ['pl', 'Dzień dobry. Spotkanie zaczyna się o dziewiątej i kończy się przed obiadem.'],
  ['cs', 'Dobrý den. Schůzka začíná v devět a skončí před obědem.'],
  ['hu', 'Jó napot. A megbeszélés kilenckor kezdődik, és ebéd előtt véget ér.'],
  ['ro', 'Bună ziua. Ședința începe la ora nouă și se termină înainte de prânz.'],
  ['tr', 'İyi günler. Toplantı dokuzda başlıyor ve öğle yemeğinden önce bitiyor.'],
  ['vi', 'Xin chào. Cuộc họp bắt đầu lúc chín giờ và kết thúc trước bữa trưa.'],
  ['id', 'Selamat pagi. Rapat itu dimulai pada pukul sembilan dan akan selesai.'],
  ['ru', 'Добрый день. Встреча начинается в девять.'],
  ['uk', 'Добрий день. Зустріч починається о дев’ятій, її ще немає.'],
  ['el', 'Καλημέρα. Η συνάντηση αρχίζει στις εννέα.'],
  ['he', 'שלום. הפגישה מתחילה בתשע.'],
  ['ar', 'صباح الخير. يبدأ الاجتماع في الساعة التاسعة.'],
  ['fa', 'روز بخیر. جلسه ساعت نه شروع می‌شود و پیش از ناهار پایان می‌گیرد.'],
  ['hi', 'नमस्ते। बैठक नौ बजे शुरू होती है।'],
  ['th', 'สวัสดี การประชุมเริ่มเก้าโมง'],
  ['ko', '안녕하세요. 회의는 아홉 시에 시작합니다.'],
  ['ja', 'こんにちは。会議は九時に始まります。'],
  ['ja', '東京大学医学部附属病院の受付'],
  ['zh', '你好。会议九点开始。'],
  ['ka', 'გამარჯობა. შეხვედრა ცხრა საათზე იწყება.'],
  ['ru', 'Сайт example.com открыт, позвоните нам.'],
]

describe('the language of a text', () => {
  for (const [language, text] of TEXTS)
    it(`${language}: ${text.slice(0, 40)}`, () => {
      expect(languageOf(text)).to.equal(language)
    })

  it('is English where there is no letter at all', () => {
    expect(languageOf('12:30')).to.equal('en')
  })

  it('is found in two thousand characters of any script within 20 ms of processor time', () => {
    for (const letter of ['a ', 'é', 'ж', '字', 'ก', 'x1', '𝒜']) {
      const text = letter.repeat(2_000 / letter.length)
      expect(
        leastCpuOf(20, () => languageOf(text)),
        letter,
      ).to.be.below(20)
    }
  })
})
