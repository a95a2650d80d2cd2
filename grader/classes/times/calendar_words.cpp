#include <array>
#include <map>
#include <sstream>
#include <stdexcept>

#include "grader/classes/roster/names.h"
#include "grader/classes/times/written_time.h"

namespace attn::classes {
namespace {

/// January to December, as they stand in a date. The names are those of Unicode's CLDR.
constexpr std::array kMonths = {
    "January February March April May June July August September October November December",
    "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "Jänner Februar März April Mai Juni Juli August September Oktober November Dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
    "gener febrer març d’abril maig juny juliol d’agost setembre d’octubre novembre desembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "januari februari mars april maj juni juli augusti september oktober november december",
    "januar februar marts april maj juni juli august september oktober november december",
    "januar februar mars april mai juni juli august september oktober november desember",
    "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta "
    "lokakuuta marraskuuta joulukuuta",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "ledna února března dubna května června července srpna září října listopadu prosince",
    "januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra",
    "január február március április május június július augusztus szeptember október november december",
    "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
    "januar februar marec april maj junij julij avgust september oktober november december",
    "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
    "Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου Οκτωβρίου "
    "Νοεμβρίου Δεκεμβρίου",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня"};

/// Monday to Sunday.
constexpr std::array kWeekdays = {
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "Mon Tue Wed Thu Fri Sat Sun",
    "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "lunes martes miércoles jueves viernes sábado domingo",
    "dilluns dimarts dimecres dijous divendres dissabte diumenge",
    "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    "segunda terça quarta quinta sexta sábado domingo",
    "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    "måndag tisdag onsdag torsdag fredag lördag söndag",
    "mandag tirsdag onsdag torsdag fredag lørdag søndag",
    "maanantaina tiistaina keskiviikkona torstaina perjantaina lauantaina sunnuntaina",
    "maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai",
    "poniedziałek wtorek środa czwartek piątek sobota niedziela",
    "pondělí úterý středa čtvrtek pátek sobota neděle",
    "pondelok utorok streda štvrtok piatok sobota nedeľa",
    "hétfő kedd szerda csütörtök péntek szombat vasárnap",
    "luni marți miercuri joi vineri sâmbătă duminică",
    "ponedeljek torek sreda četrtek petek sobota nedelja",
    "Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi Pazar",
    "Δευτέρα Τρίτη Τετάρτη Πέμπτη Παρασκευή Σάββατο Κυριακή",
    "понедельник вторник среда четверг пятница суббота воскресенье",
    "понеділок вівторок середа четвер п'ятниця субота неділя",
    "星期一 星期二 星期三 星期四 星期五 星期六 星期日",
    "月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日"};

constexpr const char* kBeforeNoon = "am fm 上午 午前 πμ";
constexpr const char* kAfterNoon = "pm em 下午 午後 μμ";

/// Words that say nothing: "20 de noviembre", "um 23:59 Uhr", "sexta-feira".
constexpr const char* kFillers = "a alle as at de del den der feira h kl klo las le o om ore uhr um г р";

class CalendarWords {
  public:
    CalendarWords() {
        using enum CalendarWord::Kind;
        for (const char* line : kMonths) add_line(line, month, 1);
        for (const char* line : kWeekdays) add_line(line, weekday, 0);
        for (const char* word : {"Sept", "Sonnabend"})
            add(word, word[1] == 'e' ? CalendarWord{month, 9} : CalendarWord{weekday, 5});
        add_all(kBeforeNoon, before_noon);
        add_all(kAfterNoon, after_noon);
        add_all(kFillers, filler);
    }

    std::optional<CalendarWord> find(const std::string& letters) const {
        const auto found = words_.find(letters);
        return found == words_.end() ? std::nullopt : std::optional(found->second);
    }

  private:
    void add(const std::string& word, CalendarWord meaning) {
        const auto [known, is_new] = words_.emplace(name_letters(word), meaning);
        if (known->first.empty()) throw std::logic_error("the word '" + word + "' of a date has no letters");
        if (!is_new && (known->second.kind != meaning.kind || known->second.number != meaning.number))
            throw std::logic_error("the word '" + word + "' of a date has two meanings");
    }

    void add_line(const char* line, CalendarWord::Kind kind, int first) {
        std::istringstream words(line);
        for (std::string word; words >> word; ++first) add(word, {kind, first});
    }

    void add_all(const char* line, CalendarWord::Kind kind) {
        std::istringstream words(line);
        for (std::string word; words >> word;) add(word, {kind, 0});
    }

    std::map<std::string, CalendarWord> words_;
};

}  // namespace

std::optional<CalendarWord> calendar_word(const std::string& letters) {
    static const CalendarWords words;
    return words.find(letters);
}

}  // namespace attn::classes
