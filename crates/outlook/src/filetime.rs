//! Dates of Windows: they count tenths of microseconds since 1601 (FILETIME).

/// Returns the date of a FILETIME in the form of RFC 5322, or `None` if its year is not from 1602 to 9999.
pub(crate) fn rfc5322(filetime: u64) -> Option<String> {
    const DAY: u64 = 24 * 60 * 60;
    const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let seconds = filetime / 10_000_000;
    let (days, time) = (seconds / DAY, seconds % DAY);
    let (year, month, day) = calendar(days);
    // 1601 begins with a Monday.
    let (weekday, month) = (WEEKDAYS[(days % 7) as usize], MONTHS[month]);
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    let date = format!("{weekday}, {day:02} {month} {year} {hour:02}:{minute:02}:{second:02} +0000");
    (1601 < year && year < 10_000).then_some(date)
}

/// Returns the year, the month from 0, and the day of the month of a number of days since 1601, in constant time.
pub fn calendar(days: u64) -> (u64, usize, u64) {
    // 1601 begins a cycle of 400 years.
    let (mut year, mut day) = (1601 + days / 146_097 * 400, days % 146_097);
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    while day >= 365 + u64::from(leap(year)) {
        day -= 365 + u64::from(leap(year));
        year += 1;
    }
    let mut month = 0;
    let len = |month: usize| [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month];
    while day >= len(month) {
        day -= len(month);
        month += 1;
    }
    (year, month, day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        // Seconds from 1601 to 1970, and seconds of the Unix time.
        let date = |unix: u64| rfc5322((11_644_473_600 + unix) * 10_000_000);
        assert_eq!(date(0).as_deref(), Some("Thu, 01 Jan 1970 00:00:00 +0000"));
        assert_eq!(date(951_782_400).as_deref(), Some("Tue, 29 Feb 2000 00:00:00 +0000"));
        assert_eq!(date(983_527_872).as_deref(), Some("Fri, 02 Mar 2001 10:11:12 +0000"));
        assert_eq!(rfc5322(0), None);
        assert_eq!(rfc5322(u64::MAX), None);
    }

    /// The first and the last day of each month, in a year without a leap day: 2001 began with a Monday.
    #[test]
    fn every_month() {
        let days_of_months =
            "Jan 31 Feb 28 Mar 31 Apr 30 May 31 Jun 30 Jul 31 Aug 31 Sep 30 Oct 31 Nov 30 Dec 31";
        let words: Vec<&str> = days_of_months.split(' ').collect();
        let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
        // Days from 1601 to 2001, a cycle of the calendar.
        let (mut before, first) = (0, 146_097);
        let date = |day: u64| rfc5322((first + day) * 864_000_000_000).unwrap();
        for month in words.chunks(2) {
            let (name, days) = (month[0], month[1].parse::<u64>().unwrap());
            for day in [1, days] {
                let n = before + day - 1;
                let weekday = weekdays[(n % 7) as usize];
                assert_eq!(date(n), format!("{weekday}, {day:02} {name} 2001 00:00:00 +0000"));
            }
            before += days;
        }
        assert_eq!(date(365), "Tue, 01 Jan 2002 00:00:00 +0000");
    }

    #[test]
    fn the_years_that_a_date_has() {
        // 1601 has 365 days; 10,000 begins 8,399 years later, of which 2,036 are leap years.
        let (second, last) = (365 * 864_000_000_000, (8399 * 365 + 2036) * 864_000_000_000);
        assert_eq!(rfc5322(second - 1), None);
        assert_eq!(rfc5322(second).as_deref(), Some("Tue, 01 Jan 1602 00:00:00 +0000"));
        assert_eq!(rfc5322(last - 1).as_deref(), Some("Fri, 31 Dec 9999 23:59:59 +0000"));
        assert_eq!(rfc5322(last), None);
    }
}
