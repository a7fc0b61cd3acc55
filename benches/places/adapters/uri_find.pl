# URI::Find: by what the text has, not by the URI that it makes of it.
use strict;
use warnings;
use JSON::PP;
use URI::Find;

my $json = JSON::PP->new->utf8;
print $json->encode({ version => "URI::Find $URI::Find::VERSION" }), "\n";
while (my $line = <STDIN>) {
    my $text = $json->decode($line)->{text};
    my @urls;
    URI::Find->new(sub { push @urls, "$_[1]"; $_[1] })->find(\$text);
    print $json->encode({ urls => \@urls }), "\n";
}
