import { editDistance } from '../../../core/sdk/index.js'

/**
 * Well-known marks, compiled for this project; a name that matches or resembles one is not suggested. No trademark
 * register was consulted.
 */
const MARKS: ReadonlySet<string> = new Set(
  `
  abbott abbvie accenture acer activision adidas adobe airbnb airbus aldi alibaba alipay allianz alphabet alstom amazon amd amex android anthropic
  apple aramco arm asda asics asus astrazeneca atlassian audi autodesk avast avis aws axa azure baidu barbie barclays basf bayer bbc bentley bestbuy
  bic bing bitcoin bloomberg bmw boeing bombardier booking bosch bose braun bridgestone broadcom bugatti burberry burgerking cadbury cadillac canon
  canva capgemini carlsberg carrefour cartier casio caterpillar chanel chatgpt chevron chevrolet chrome chrysler cisco citibank citroen claude
  cloudflare cnn cocacola coinbase colgate comcast costco crocs dacia daimler danone databricks deepmind dell deloitte deutschebank dhl dior discord
  disney docker doritos dove dropbox ducati dunkin duolingo duracell dyson ebay electrolux epson ericsson esso etsy expedia exxon facebook fanta
  fedex ferrari fiat figma fiverr ford fortnite foxconn fujitsu gap garmin generali gillette github gitlab glovo gmail godaddy goldmansachs goodyear
  google gopro grammarly greenpeace grindr groupon gucci guinness haribo harley hasbro heineken heinz hermes hershey hilton hitachi honda honeywell
  hsbc huawei hublot hugoboss hulu hyatt hyundai ibm ikea imdb infosys instagram intel isuzu jaguar jameson jbl jeep johndeere jpmorgan kawasaki
  kelloggs kfc kia kickstarter kindle kleenex klarna kodak kpmg lacoste lamborghini lancome lego lenovo levis lexus lidl linkedin lipton logitech
  loreal lufthansa lyft maersk mailchimp marlboro marriott mars martini maserati mastercard mattel mazda mcdonalds mckinsey medium mercedes merck meta
  metlife michelin microsoft midjourney minecraft mitsubishi moderna mongodb monzo moodle motorola mozilla nasa nasdaq nescafe nespresso nestle netflix
  newbalance nickelodeon nike nikon nintendo nissan nivea nokia northface notion novartis nvidia nutella openai opel oracle oreo oxfam panasonic
  paramount patagonia patreon paypal paytm pepsi peugeot pfizer philips pinterest pixar playstation pokemon porsche prada primark pringles prudential
  puma purina pwc qualcomm quora rakuten rayban reddit redbull reebok renault reuters revolut ricoh roblox roche rolex rollsroyce rossmann ryanair
  safari salesforce samsung sanofi santander sap saucony scania schneider sega sephora servicenow shazam shein shell shopify siemens skoda skype slack
  snapchat sony soundcloud spacex splunk spotify sprite squarespace starbucks starlink stripe subaru subway supabase suzuki swarovski swatch tabasco
  target telegram temu tencent tesco tesla texaco tiffany tiktok timberland tinder toblerone toshiba toyota trello tripadvisor trivago tumblr tupperware
  twitch twitter uber ubisoft ubuntu unilever uniqlo unicef usps vans vercel verizon versace viber vimeo virgin visa vmware vodafone volkswagen volvo
  walmart wechat weibo whatsapp whirlpool wikipedia windows wise wix wordpress xbox xerox xiaomi yahoo yamaha yandex yelp youtube zalando zappos zara
  zendesk zillow zoom zoho zynga
  `
    .split(/\s+/)
    .filter((word) => word !== ''),
)

/** Shorter marks occur inside too many words. */
const LEAST_INSIDE = 5
const LEAST_NEAR = 5

/** Whether a label, ignoring hyphens, is a well-known mark. */
export function isMark(label: string): boolean {
  return MARKS.has(label.replaceAll('-', ''))
}

/** The mark that a label equals, contains or differs from by one letter; null when there is none. */
export function clashesWith(label: string): string | null {
  const plain = label.replaceAll('-', '')
  if (MARKS.has(plain)) return plain
  for (const mark of MARKS) {
    if (mark.length >= LEAST_INSIDE && plain.includes(mark)) return mark
    if (mark.length >= LEAST_NEAR && editDistance(plain, mark, 1) <= 1) return mark
  }
  return null
}
