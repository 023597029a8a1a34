#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# A TCP stream for `cluster check`.
#   flow.pl receive PORT SECONDS     prints the Mbit/s of payload that arrive, after a start of 0.3 s that is not counted
#   flow.pl send ADDRESS PORT        sends until the receiver has seen enough
use strict;
use warnings;
use IO::Socket::INET;
use Time::HiRes qw(time sleep);

my ($role, @arguments) = @ARGV;
$SIG{ALRM} = sub { die "flow.pl: no stream within its time\n" };

if ($role eq 'receive') {
    my ($port, $seconds) = @arguments;
    alarm(10 + $seconds);
    my $listener = IO::Socket::INET->new(LocalPort => $port, Listen => 1, ReuseAddr => 1) or die "flow.pl: port $port: $@\n";
    my $stream = $listener->accept() or die "flow.pl: accept: $!\n";
    my $from = time() + 0.3;
    my ($bytes, $buffer) = (0);
    my ($first, $now) = (undef, time());
    while (!defined $first || $now - $first < $seconds) {
        my $count = sysread($stream, $buffer, 1 << 20);
        die "flow.pl: the stream ended early\n" unless $count;
        $now = time();
        if (defined $first) { $bytes += $count }
        elsif ($now >= $from) { $first = $now }
    }
    printf "%.3f\n", $bytes * 8 / ($now - $first) / 1e6;
} elsif ($role eq 'send') {
    my ($address, $port) = @arguments;
    my $stream;
    $SIG{PIPE} = 'IGNORE';
    alarm(60);
    for (1 .. 100) {
        $stream = IO::Socket::INET->new(PeerAddr => $address, PeerPort => $port, Timeout => 2) and last;
        sleep 0.05;
    }
    die "flow.pl: $address does not answer: $@\n" unless $stream;
    my $buffer = "\0" x (1 << 18);
    while (syswrite($stream, $buffer)) { }
} else {
    die "flow.pl: receive or send, not $role\n";
}
