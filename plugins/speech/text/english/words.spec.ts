import { expect } from 'chai'
import { englishWords } from './words.js'

/** Texts and how they are spoken, by what they show. */
const CASES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'numbers are words': [
    ['There are 0 of them.', 'There are zero of them.'],
    ['It has 13 parts.', 'It has thirteen parts.'],
    ['Take 21 or 40.', 'Take twenty-one or forty.'],
    ['All 100 came.', 'All one hundred came.'],
    ['We sold 1,204 today.', 'We sold one thousand two hundred four today.'],
    ['It took 1,000,000 tries.', 'It took one million tries.'],
    ['Pi is 3.14159.', 'Pi is three point one four one five nine.'],
    ['Only .5 is left', 'Only zero point five is left'],
    ['Agent 007', 'Agent zero zero seven'],
    ['Order 123456789012 is ready', 'Order one two three four five six seven eight nine zero one two is ready'],
    ['It is -5 outside', 'It is minus five outside'],
    ['~20 people', 'about twenty people'],
    ['It is 1 of 3', 'It is one of three'],
  ],
  'ordinals, fractions and ranges are words': [
    ['the 1st of many', 'the first of many'],
    ['her 22nd try', 'her twenty-second try'],
    ['the 100th time', 'the one hundredth time'],
    ['the 12th floor', 'the twelfth floor'],
    ['add 1/2 cup', 'add one half cup'],
    ['add 3/4 cup', 'add three quarters cup'],
    ['about 2/3 of it', 'about two thirds of it'],
    ['½ of it', 'one half of it'],
    ['2½ years', 'two and a half years'],
    ['open 24/7', 'open twenty-four seven'],
    ['pages 10-12', 'pages ten to twelve'],
    ['5–6% more', 'five to six percent more'],
  ],
  'amounts of money are words': [
    ['It costs $5.', 'It costs five dollars.'],
    ['It costs $1.', 'It costs one dollar.'],
    ['It costs $3.50 now', 'It costs three dollars and fifty cents now'],
    ['just $0.99!', 'just ninety-nine cents!'],
    ['$0.01 each', 'one cent each'],
    ['worth $1,234.56', 'worth one thousand two hundred thirty-four dollars and fifty-six cents'],
    ['raised $5 million in May', 'raised five million dollars in May'],
    ['worth $2.5bn', 'worth two point five billion dollars'],
    ['about $10k', 'about ten thousand dollars'],
    ['£2.01 please', 'two pounds and one penny please'],
    ['€20 and 30€', 'twenty euros and thirty euros'],
    ['¥500', 'five hundred yen'],
    ['20 EUR', 'twenty euros'],
    ['USD 15.20', 'fifteen U S dollars and twenty cents'],
    ['from $5-$10', 'from five to ten dollars'],
    ['a loss of -$40', 'a loss of minus forty dollars'],
    ['CHF 3 million', 'three million Swiss francs'],
  ],
  'dates and years are words': [
    ['on 2025-03-14.', 'on March fourteenth, twenty twenty-five.'],
    ['on 3/14/2025', 'on March fourteenth, twenty twenty-five'],
    ['on 14/3/2025', 'on March fourteenth, twenty twenty-five'],
    ['on 14.03.2025', 'on March fourteenth, twenty twenty-five'],
    ['on March 3, 2021, we met', 'on March third, twenty twenty-one, we met'],
    ['on Mar. 14th', 'on March fourteenth'],
    ['on 14 March 2025', 'on the fourteenth of March, twenty twenty-five'],
    ['the 4th of July', 'the fourth of July'],
    ['in May 2004', 'in May two thousand four'],
    ['in 1984', 'in nineteen eighty-four'],
    ['since 1905', 'since nineteen oh five'],
    ['since 1800', 'since eighteen hundred'],
    ['in the 1980s', 'in the nineteen eighties'],
    ["music of the '90s", 'music of the nineties'],
    ['from 2010-2015', 'from twenty ten to twenty fifteen'],
    ['Fri., Dec. 5', 'Friday, December fifth'],
    ['I may come on 5 occasions', 'I may come on five occasions'],
    ['There are 1500 people', 'There are one thousand five hundred people'],
  ],
  'times are words': [
    ['at 9:05', 'at nine oh five'],
    ['at 14:30.', 'at fourteen thirty.'],
    ['at 9:00 sharp', "at nine o'clock sharp"],
    ['at 15:00', 'at fifteen hundred'],
    ['at 5 p.m. today', 'at five PM today'],
    ['at 5pm', 'at five PM'],
    ['at 10:15 AM.', 'at ten fifteen AM.'],
    ['at 3:00 pm', 'at three PM'],
    ['We open at 7 a.m. We close late.', 'We open at seven AM. We close late.'],
    ['10:15:30', 'ten fifteen and thirty seconds'],
    ['from 9:30-11:00', "from nine thirty to eleven o'clock"],
    ['10-11am', 'ten to eleven AM'],
    ["at 6 o'clock", "at six o'clock"],
  ],
  'units are words': [
    ['5 km away', 'five kilometers away'],
    ['1 km away', 'one kilometer away'],
    ['10kg', 'ten kilograms'],
    ['-3.5°C', 'minus three point five degrees Celsius'],
    ['72°F', 'seventy-two degrees Fahrenheit'],
    ['20% off', 'twenty percent off'],
    ['20 % off', 'twenty percent off'],
    ['16 GB of memory', 'sixteen gigabytes of memory'],
    ['at 60 mph', 'at sixty miles per hour'],
    ['100 km/h', 'one hundred kilometers per hour'],
    ['6 ft', 'six feet'],
    ['5m tall', 'five meters tall'],
    ['3x faster', 'three times faster'],
    ['I am 5 m', 'I am five m'],
  ],
  'addresses of the web and of mail are words': [
    ['See https://example.com/docs.', 'See example dot com slash docs.'],
    ['See https://example.com/a?b=1&c=2', 'See example dot com slash a question mark b equals one and c equals two'],
    ['Visit www.example.org!', 'Visit w w w dot example dot org!'],
    ['Visit example.com/', 'Visit example dot com'],
    ['Write to first.last@example.com, please', 'Write to first dot last at example dot com, please'],
    ['mailto:help@example.co.uk', 'help at example dot co dot u k'],
    ['port http://localhost:8420/x_y', 'port localhost colon eight four two zero slash x underscore y'],
    ['the file notes.txt', 'the file notes.txt'],
  ],
  'telephone numbers and versions are words, names with digits stay': [
    ['Call 555-123-4567.', 'Call five five five, one two three, four five six seven.'],
    ['Call (555) 123-4567', 'Call (five five five, one two three, four five six seven'],
    ['Call +49 30 1234567 now', 'Call plus four nine, three zero, one two three four five six seven now'],
    ['version 1.2.3', 'version one point two point three'],
    ['v2 is out', 'version two is out'],
    ['192.168.0.1', 'one nine two dot one six eight dot zero dot one'],
    ['on A4 paper', 'on A4 paper'],
    ['COVID-19 and B2B', 'COVID-19 and B2B'],
  ],
  'abbreviations and signs are words': [
    ['Dr. Lee and Mrs. Fox', 'Doctor Lee and Missus Fox'],
    ['Mr. Smith, Jr.', 'Mister Smith, Junior.'],
    ['12 Main St. in town', 'twelve Main Street in town'],
    ['the church of St. Paul', 'the church of Saint Paul'],
    ['at 5 Park Ave., Apt. 4B', 'at five Park Avenue, Apartment 4B'],
    ['fruit, e.g. apples', 'fruit, for example apples'],
    ['that is, i.e., now', 'that is, that is, now'],
    ['tea, coffee, etc.', 'tea, coffee, et cetera.'],
    ['cats vs. dogs', 'cats versus dogs'],
    ['item No. 5', 'item number five'],
    ['No. That is wrong.', 'No. That is wrong.'],
    ['ticket #42', 'ticket number forty-two'],
    ['salt & pepper', 'salt and pepper'],
    ['R&D and Q&A', 'R and D and Q and A'],
    ['2 + 2 = 4', 'two plus two equals four'],
    ['a < b', 'a less than b'],
    ['approx. 5 people', 'approximately five people'],
    ['and/or', 'and or'],
  ],
  'what is no figure stays as it is': [
    ['Hello, world!', 'Hello, world!'],
    ['She said: “Come (soon)!”', 'She said: “Come (soon)!”'],
    ['It is *very* `good`.', 'It is very good.'],
    ['', ''],
    ['One line\nand another', 'One line\nand another'],
    ['NASA and IBM', 'NASA and IBM'],
    ["It's the dogs' home", "It's the dogs' home"],
  ],
}

describe('English as it is spoken', () => {
  for (const [title, cases] of Object.entries(CASES))
    it(title, () => {
      for (const [text, words] of cases) expect(englishWords(text), text).to.equal(words)
    })

  it('is a table of at least eighty texts', () => {
    expect(Object.values(CASES).flat().length).to.be.at.least(80)
  })

  it('leaves no digit in two thousand characters of any figures, and takes no longer for hostile ones', () => {
    for (const text of ['1', '1,', '$1.', '1:', '1-', '+1 ', '1/', '9.', '(1', "'9", 'a1', '1e', '@1.', '#1 ', '12:30'].map((part) =>
      part.repeat(2_000 / part.length),
    )) {
      const begun = process.cpuUsage()
      englishWords(text)
      const { user, system } = process.cpuUsage(begun)
      expect((user + system) / 1000, `${text.slice(0, 10)}: ms`).to.be.below(100)
    }
    expect(englishWords('12 345, $6.78 at 9:10 on 2024-11-12: 13% of 14kg, 15th, 1.6.17')).not.to.match(/\d/)
  })
})
